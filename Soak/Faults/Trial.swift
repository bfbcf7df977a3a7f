import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation

/// One fault from its beginning to its consequences.
///
/// A class, because the acts of a workload note what they were told.
final class Trial {
  let fault: Fault
  let injector: Injector
  let store: URL
  let image: URL
  var book: Book
  private(set) var findings: [Finding] = []
  /// Where each save that is still to be answered was made, so that it can be asked for again.
  var askedIn: ManagedObjectContext?
  /// The contexts that read while things fail, and once more afterwards.
  var readers: [ManagedObjectContext] = []

  init(_ fault: Fault, _ template: StoreTemplate, _ folder: URL) throws {
    self.fault = fault
    injector = Injector(fault)
    store = folder.appending(path: "store.sqlite")
    image = folder.appending(path: "image.sqlite")
    book = template.book
    try template.copy(to: store)
  }

  func find(_ kind: Finding.Kind, _ text: String) {
    let finding = Finding(kind, text)
    if !findings.contains(where: { $0.description == finding.description }) {
      findings.append(finding)
    }
  }

  /// Runs the workload with the fault, then looks whether all is well.
  func run() throws {
    guard var rig = try begin() else { return }
    if fault.duration == .closing || fault.workload == .close {
      rig = try reopen(rig)
    }
    injector.disarm()
    try checkFile("after the fault")
    try proveUsable(rig)
    try checkClosed(rig)
  }

  /// The open stack after the acts of the workload.
  private func begin() throws -> Rig? {
    guard fault.workload.opens else {
      let rig = try Rig.open(store, injector.hooks)
      if fault.workload == .close { try prepareClosing(rig) }
      injector.arm()
      try act(rig)
      if fault.duration != .closing, fault.workload != .close { injector.disarm() }
      return rig
    }
    injector.arm()
    do {
      let rig = try Rig.open(store, injector.hooks)
      if fault.duration != .closing { injector.disarm() }
      return rig
    } catch {
      injector.disarm()
      check(error, "opening")
    }
    try checkFile("after opening failed")
    return open("again")
  }

  /// Opens where nothing fails.
  private func open(_ when: String) -> Rig? {
    do {
      return try Rig.open(store, injector.hooks)
    } catch {
      find(.unusable, "opening \(when): \(error)")
      return nil
    }
  }

  /// Closes while things still fail, and opens when they have ended.
  private func reopen(_ rig: Rig) throws -> Rig {
    do { try rig.close() } catch { check(error, "closing") }
    injector.disarm()
    do { try rig.close() } catch { find(.unusable, "closing again threw \(error)") }
    // What waited in its contexts is gone with them.
    book.discardPending()
    askedIn = nil
    readers = []
    try checkFile("after closing")
    guard let again = open("after closing") else { throw TrialEnded() }
    // Opening has read the log anew.
    book.settleUnknown(by: try FileContents(store).contents)
    return again
  }

  /// Compares the file, and what a process that dies now would leave, with the book.
  func checkFile(_ when: String) throws {
    do {
      for finding in book.check(try FileContents(store), when) { find(finding.kind, finding.text) }
      for end in StoreTemplate.companions + ["-shm"] {
        try? FileManager.default.removeItem(atPath: image.path + end)
      }
      try StoreTemplate.copy(store, to: image)
      for finding in book.check(try FileContents(image), "killed \(when)") {
        find(finding.kind, finding.text)
      }
    } catch let failure as SoakFailure {
      find(.torn, "\(when): \(failure)")
    }
  }
}

/// Nothing more can be learnt from a trial.
struct TrialEnded: Error {}
