package import CauldronModel

/// A change set on its way to the store, with what has to be known when it arrives or fails.
package final class Layer: Sendable {
  package let changes: ChangeSet
  /// The context that made the changes, and gets them back if they cannot be written.
  package let origin: LedgerNode
  /// How far the changes have come.
  let life: Life
  /// The objects that the changes make to-one relationships lead to.
  package let targets: Targets
  /// The number of the changes as they were first made, whatever was made of them since: what comes
  /// back lies in this order.
  let firstNumber: UInt64

  /// What can become of a layer, but for its end. That a commit is writing it right now is told by
  /// its place, at the start of the root's list: whoever has it keeps it as it is.
  enum Life: Sendable {
    /// A context's own edits, which nobody has saved yet.
    case own
    /// Part of a save that waits for its end, in this context or further up.
    case accepted(SaveTicket)
    /// Saved, refused further up, and given back: a context's own, unsaved edits again.
    case returned
  }

  package convenience init(changes: ChangeSet, origin: LedgerNode) {
    self.init(changes: changes, origin: origin, life: .own)
  }

  init(
    changes: ChangeSet, origin: LedgerNode, life: Life, targets: Targets? = nil,
    firstNumber: UInt64? = nil
  ) {
    self.firstNumber = firstNumber ?? changes.id
    self.life = life
    self.changes = changes
    self.origin = origin
    self.targets = targets ?? Targets(of: changes)
  }

  /// The same changes as part of a save.
  func accepted(_ ticket: SaveTicket) -> Layer {
    Layer(
      changes: changes, origin: origin, life: .accepted(ticket), targets: targets,
      firstNumber: firstNumber)
  }

  /// The same changes, back in the context that made them, or in one that inherits them.
  func returned(to home: LedgerNode) -> Layer {
    Layer(
      changes: changes, origin: home, life: .returned, targets: targets, firstNumber: firstNumber)
  }

  /// Tells the saves that wait for it what became of it; nil while nobody has saved it.
  package var ticket: SaveTicket? { if case .accepted(let ticket) = life { ticket } else { nil } }

  /// What decides about the changes' conflicts: what their save asked for, or else the context's own
  /// policy.
  func mergePolicy(or policy: MergePolicy) -> MergePolicy { ticket?.mergePolicy ?? policy }

  /// What the layer succeeds or fails with: the other layers of the same save.
  var unit: ObjectIdentifier { ticket.map(ObjectIdentifier.init) ?? ObjectIdentifier(self) }

  /// Whether these are a context's own edits, which nobody has saved yet.
  func isUnsaved(of node: LedgerNode) -> Bool { ticket == nil && origin === node }

  /// Whether the changes were saved, refused further up, and given back.
  var isReturned: Bool { if case .returned = life { true } else { false } }

  /// The same layer with other changes, after a merge policy has decided, others' changes were taken
  /// in, or keys were exchanged.
  func with(changes: ChangeSet) -> Layer {
    Layer(changes: changes, origin: origin, life: life, firstNumber: firstNumber)
  }
}

/// The keys that new and changed to-one references lead to, by the number of the root entity.
package struct Targets: Sendable {
  package private(set) var keys: [Int32: Set<Int64>] = [:]

  package init(of changes: ChangeSet) {
    // Nothing depends on a link: it goes with its ends.
    for entity in changes.entities where !entity.entity.isJoin {
      for property in entity.entity.digest.toOnes {
        guard let root = property.destination?.entity.root.number else { continue }
        add(property.index, entity, root)
      }
    }
  }

  package func contains(_ key: Int64, root: Int32) -> Bool {
    keys[root]?.contains(key) ?? false
  }

  private mutating func add(_ index: Int, _ changes: EntityChanges, _ root: Int32) {
    var set = keys[root] ?? []
    var last: Int64?
    for row in changes.inserted where !row.isNull(index) {
      let key = row.slot(index)
      if key != last { set.insert(key) }
      last = key
    }
    for update in changes.updated
    where update.changed.contains(index) && !update.row.isNull(index) {
      set.insert(update.row.slot(index))
    }
    keys[root] = set.isEmpty ? nil : set
  }
}
