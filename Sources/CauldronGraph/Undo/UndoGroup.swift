import CauldronModel
package import CauldronStore

/// Changes that are undone together, in the order in which they were made.
package struct UndoGroup {
  private enum Part {
    case step(UndoStep)
    case group(UndoGroup)
  }

  var name = ""
  private var parts: [Part] = []

  init() {}

  init(_ steps: [UndoStep], name: String) {
    parts = steps.map { .step($0) }
    self.name = name
  }

  var isEmpty: Bool { parts.isEmpty }

  mutating func append(_ changes: ChangeSet) {
    parts.append(.step(UndoStep(changes: changes, isReversal: false)))
  }

  mutating func append(_ group: UndoGroup) {
    if !group.isEmpty { parts.append(.group(group)) }
  }

  mutating func append(_ steps: [UndoStep]) { parts += steps.map { .step($0) } }

  /// Takes out the group that was added last, where nothing was added since.
  mutating func removeLastGroup() -> UndoGroup? {
    guard case .group(let group)? = parts.last else { return nil }
    parts.removeLast()
    return group
  }

  /// All that was done, in order.
  package var steps: [UndoStep] {
    parts.flatMap { part in
      switch part {
      case .step(let step): [step]
      case .group(let group): group.steps
      }
    }
  }
}

/// A change that was made, as something to take back or to make again.
package struct UndoStep {
  package let changes: ChangeSet
  /// Whether what was done is the reversal of the changes, and not the changes themselves.
  package let isReversal: Bool

  package init(changes: ChangeSet, isReversal: Bool) {
    self.changes = changes
    self.isReversal = isReversal
  }

  /// What takes it back.
  var reversed: UndoStep { UndoStep(changes: changes, isReversal: !isReversal) }
}
