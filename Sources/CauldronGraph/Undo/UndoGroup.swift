package import CauldronModel
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

/// The changes that steps have made by themselves, to tell them from the changes that went with
/// them.
package struct UndoCover {
  /// The properties of the objects that were edited.
  package private(set) var edited: [ManagedObjectID: PropertySet] = [:]
  /// The objects and links that came or went.
  private var whole: Set<ManagedObjectID> = []
  private let storeNumber: Int32

  package init(storeNumber: Int32) { self.storeNumber = storeNumber }

  package mutating func add(_ id: ManagedObjectID, properties: PropertySet) {
    edited[id, default: PropertySet()].formUnion(properties)
  }

  package mutating func add(_ id: ManagedObjectID) { whole.insert(id) }

  /// All objects and links that were changed.
  package var ids: Set<ManagedObjectID> { whole.union(edited.keys) }

  /// What a change set has beside that; nil where it has nothing.
  func rest(of changes: ChangeSet) -> ChangeSet? {
    let entities = changes.entities.map { rest(of: $0) }.filter { $0.count > 0 }
    return entities.isEmpty ? nil : ChangeSet(id: changes.id, entities: entities)
  }

  private func rest(of changes: EntityChanges) -> EntityChanges {
    func isRest(_ key: Int64) -> Bool { !whole.contains(id(key, in: changes)) }
    let updated = changes.updated.compactMap { update -> RowUpdate? in
      let key = update.row.key
      let left = update.changed.subtracting(edited[id(key, in: changes)] ?? PropertySet())
      guard isRest(key), !left.isEmpty else { return nil }
      return RowUpdate(
        row: update.row, base: update.base, changed: left,
        nullified: update.nullified.intersection(left))
    }
    return EntityChanges(
      entity: changes.entity, inserted: changes.inserted.filter { isRest($0.key) },
      updated: updated, deleted: changes.deleted.filter { isRest($0.key) })
  }

  private func id(_ key: Int64, in changes: EntityChanges) -> ManagedObjectID {
    ManagedObjectID(key: key, entityNumber: changes.entity.number, storeNumber: storeNumber)
  }
}

/// The context whose changes an undo manager notes.
package protocol UndoTarget: AnyObject {
  /// Traps where the caller may not use the context.
  func proveUndo()

  /// Has the changes so far noted.
  func noteForUndo()

  /// Takes in changes from elsewhere, and has the changes so far noted.
  /// - Throws: Why nothing can be undone now.
  func prepareUndo(_ verb: String) throws

  /// Carries out steps, one after the other; all of them, or none.
  /// - Throws: `object.notFound` where an object is not there any more; what reading throws.
  /// - Returns: What the steps have changed.
  func carryOut(_ steps: [UndoStep], names: inout UndoNames) throws -> UndoCover

  /// Outside an event, what was processed is a step.
  func endUndoStep()
}

/// Which objects stand for others that were created anew, because those are deleted for good.
package struct UndoNames {
  /// The IDs that one object had in turn share a number, so that the last one is found at once,
  /// however often the object was taken away and created anew.
  private var numbers: [ManagedObjectID: Int] = [:]
  private var lastIDs: [ManagedObjectID] = []

  /// What objects were like when a step took them away.
  private var rows: [ManagedObjectID: HeldRow] = [:]

  /// What is led to and not there yet, while something is carried out.
  package var late: Set<ManagedObjectID> = []

  private var postponed: [ManagedObjectID: [Postponed]] = [:]

  /// What is to lead to an object that is not there yet.
  package enum Postponed: Equatable {
    case link(HeldRow, EntityLayout, ends: [ManagedObjectID])
    case reference(ManagedObjectID, Int, HeldRow)

    package static func == (a: Postponed, b: Postponed) -> Bool {
      switch (a, b) {
      case (.link(_, let a, let ends), .link(_, let b, let others)): a === b && ends == others
      case (.reference(let a, let i, _), .reference(let b, let j, _)): a == b && i == j
      default: false
      }
    }
  }

  /// Notes what an object is like that goes.
  package mutating func keep(_ row: HeldRow, of id: ManagedObjectID) { rows[id] = row }

  /// Forgets what an object was like: it is there again.
  package mutating func forgetRow(of id: ManagedObjectID) { rows[id] = nil }

  /// What an object was like when a step took it away last; nil where none did, or it is there again.
  package func lastRow(of id: ManagedObjectID) -> HeldRow? { rows[id] }

  /// Has something wait until an object is there again.
  package mutating func postpone(_ what: Postponed, until id: ManagedObjectID) {
    if postponed[id]?.contains(what) != true { postponed[id, default: []].append(what) }
  }

  /// What has waited for an object, which is there.
  package mutating func takePostponed(until id: ManagedObjectID) -> [Postponed] {
    postponed.removeValue(forKey: id) ?? []
  }

  /// Notes that an object was created in the place of another one.
  package mutating func replace(_ old: ManagedObjectID, by new: ManagedObjectID) {
    let number = numbers[old] ?? lastIDs.count
    if number == lastIDs.count { lastIDs.append(new) } else { lastIDs[number] = new }
    numbers[old] = number
    numbers[new] = number
  }

  /// The object that stands for another one now.
  /// - Parameter follow: The ID that an object has, given one that it had.
  package func current(
    _ id: ManagedObjectID, follow: (ManagedObjectID) -> ManagedObjectID
  ) -> ManagedObjectID {
    var id = follow(id)
    // A key that was exchanged since goes on under another number.
    while let number = numbers[id] {
      let last = follow(lastIDs[number])
      if last == id { break }
      id = last
    }
    return id
  }
}
