import Cauldron

/// Runs a program and knows what must come of it: each edit adds a bit of its own to a number, so that none
/// can be lost without a trace.
///
/// `@unchecked Sendable` because the steps run one after the other.
final class OrderProgram: @unchecked Sendable {
  /// Whether the child sees whatever its parent did.
  private let sees: Bool
  private let parent: ManagedObjectContext
  private let object: Node
  private let id: ManagedObjectID
  private var next = 0
  /// The bits that are in the parent, and those that wait in the child.
  private var above: Set<Int> = [0]
  private var below: Set<Int> = []
  private var isDeleted = false
  private var deletesBelow = false
  private var hasRead = false
  /// Whether what was read may be older than what was changed since.
  private var mayConflict = false
  private var isParentBehind = false
  private var trace: [String] = []
  /// What did not come as it must.
  private(set) var findings: [String] = []

  /// - Parameter isNew: Whether the object is created by the program.
  init(isNew: Bool, sees: Bool, in parent: ManagedObjectContext) throws {
    self.sees = sees
    self.parent = parent
    object = Node.create(in: parent)
    object.value = 1
    id = object.objectID
    if !isNew { try parent.save() }
    trace = ["sees \(sees), new \(isNew)"]
  }

  private var bit: Int {
    next += 1
    return next
  }

  private func number(_ bits: Set<Int>) -> Int { bits.reduce(0) { $0 | 1 << $1 } }

  private func expect(_ isTrue: Bool, _ text: @autoclosure () -> String) {
    if !isTrue { findings.append("\(text()): \(trace)") }
  }

  func above(_ step: OrderStep) {
    trace.append("\(step)")
    switch step {
    case .edit where !object.isDeleted:
      let bit = bit
      if hasRead || isParentBehind { mayConflict = true }
      object.value += 1 << bit
      above.insert(bit)
    case .delete:
      object.delete()
      (isDeleted, mayConflict) = (true, true)
    case .end: parent.processPendingChanges()
    case .save: save()
    default: return
    }
    if step == .end || step == .save { isParentBehind = false }
  }

  private func save() {
    do {
      try parent.save()
    } catch {
      expect(mayConflict || !sees, "the parent's save: \(error)")
      parent.rollback()
      isDeleted = true
    }
  }

  func below(_ step: OrderStep, _ context: ManagedObjectContext) {
    trace.append("\(step)")
    switch step {
    case .readBelow:
      let found = try? Node.find(id, in: context)
      if !isDeleted, !deletesBelow, !hasRead, below.isEmpty, sees {
        expect(found?.value == number(above), "seen \(found?.value ?? -1), not \(number(above))")
      }
      hasRead = hasRead || found != nil
    case .editBelow:
      guard let copy = context.object(with: id) as? Node, !deletesBelow else { return }
      let bit = bit
      let before = copy.value
      if copy.isDeleted { return }
      if !hasRead, below.isEmpty, sees, !isDeleted {
        expect(before == number(above), "seen \(before), not \(number(above))")
      }
      copy.value += 1 << bit
      hasRead = true
      below.insert(bit)
    case .deleteBelow:
      context.object(with: id).delete()
      (deletesBelow, mayConflict) = (true, true)
    case .saveBelow: saveBelow(context)
    default: return
    }
  }

  private func saveBelow(_ context: ManagedObjectContext) {
    do {
      try context.save()
      above.formUnion(below)
      if !below.isEmpty || deletesBelow { isParentBehind = true }
      below = []
      if deletesBelow { isDeleted = true }
    } catch {
      trace.append("\(error)")
      let code = (error as? CauldronError)?.code
      expect(code == .saveConflict || code == .saveDependency, "the child's save")
      expect(mayConflict || !sees, "the child's save is refused")
      let copy = context.object(with: id) as? Node
      let isKept = copy.map { $0.value & number(below) == number(below) } ?? false
      expect(isKept && context.hasChanges, "edits are not kept")
    }
  }

  /// Saves all, and looks whether all is there that a save was told to have saved.
  func finish() throws {
    parent.processPendingChanges()
    let isGone = isDeleted
    save()
    let reader = ManagedObjectContext(.private, parent: parent.parent ?? parent, name: "Reader")
    let found = try Node.find(id, in: reader)
    if isGone || isDeleted { return }
    expect(found?.value == number(above), "saved \(found?.value ?? -1), not \(number(above))")
  }
}
