import Cauldron
import CauldronGraph
import CauldronModel
import Foundation

// When nothing fails any more, everything must work, and be as it was said.
extension Trial {
  func proveUsable(_ rig: Rig) throws {
    if fault.workload == .fetch { try fetchAll(rig, mustWork: true) }
    compareWithFile(ManagedObjectContext(.private, coordinator: rig.coordinator), "a new context")
    if fault.triesAgain { try tryAgain(rig) } else { takeBack(rig) }
    try checkFile("after what waited")
    compareWithFile(rig.main, "main")
    let child = ManagedObjectContext.contextWithParent(rig.main)
    try succeed(2, in: child, rig)
    let direct = ManagedObjectContext.contextWithParent(rig.root)
    try succeed(2, in: direct, rig)
    compareWithFile(rig.main, "main at the end")
    compareWithFile(rig.root, "the root at the end")
  }

  /// Asks once more for what was refused.
  private func tryAgain(_ rig: Rig) throws {
    guard book.hasPending || book.hasUnknown else { return }
    let mustWrite = book.hasPending
    do {
      let outcome = try (askedIn ?? rig.root).saveAndWait(toPersistentStore: true)
      if outcome == .noChanges, mustWrite { find(.unusable, "what waited was not saved again") }
      book.carryPending()
    } catch {
      find(.unusable, "saving again threw \(error)")
      takeBack(rig)
    }
  }

  /// Rolls every level back.
  private func takeBack(_ rig: Rig) {
    askedIn?.performAndWait { $0.rollback() }
    rig.main.performAndWait { $0.rollback() }
    rig.root.performAndWait { $0.rollback() }
    book.discardPending()
  }

  /// A save that nothing stands in the way of.
  private func succeed(_ size: Int, in context: ManagedObjectContext, _ rig: Rig) throws {
    let number = book.begin(size)
    do {
      try context.performAndWait { try Edit.make(number, size: size, retires: nil, in: $0) }
      let outcome = try context.saveAndWait(toPersistentStore: true)
      if outcome == .noChanges { find(.falseAnswer, "save \(number) had nothing to save") }
      book.answer([number], .saved)
      // From now on it is known, because this save lies behind what nobody knew.
      book.settleUnknown(by: try FileContents(store).contents)
    } catch let error as CauldronError {
      find(.unusable, "save \(number) threw \(error)")
      askedIn = context
      takeBack(rig)
    }
    try checkFile("after save \(number)")
  }

  private func compareWithFile(_ context: ManagedObjectContext, _ what: String) {
    do {
      let file = try FileContents(store).contents
      let shown = try context.performAndWait { try Contents($0) }
      if shown != file { find(.falseAnswer, "\(what) shows \(shown), the file has \(file)") }
    } catch {
      find(.unusable, "reading in \(what) threw \(error)")
    }
  }

  func checkClosed(_ rig: Rig) throws {
    do { try rig.close() } catch { find(.unusable, "closing threw \(error)") }
    try checkFile("after the end")
    for problem in try FileContents.problems(store) { find(.torn, "the file: \(problem)") }
    for problem in try FileContents.problems(image) { find(.torn, "the image: \(problem)") }
  }
}
