import CauldronModel

/// Which objects stand for others that were created anew, because those are deleted for good.
struct UndoNames {
  private var successors: [ManagedObjectID: ManagedObjectID] = [:]

  /// What objects were like when a step took them away.
  private var rows: [ManagedObjectID: HeldRow] = [:]

  /// Notes what an object is like that goes.
  mutating func keep(_ row: HeldRow, of id: ManagedObjectID) { rows[id] = row }

  /// Forgets what an object was like: it is there again.
  mutating func forgetRow(of id: ManagedObjectID) { rows[id] = nil }

  /// What an object was like when a step took it away last; nil where none did, or it is there again.
  func lastRow(of id: ManagedObjectID) -> HeldRow? { rows[id] }

  /// Notes that an object was created in the place of another one.
  mutating func replace(_ old: ManagedObjectID, by new: ManagedObjectID) { successors[old] = new }

  /// The object that stands for another one now.
  /// - Parameter follow: The ID that an object has, given one that it had.
  func current(
    _ id: ManagedObjectID, _ follow: (ManagedObjectID) -> ManagedObjectID
  ) -> ManagedObjectID {
    var id = follow(id)
    while let next = successors[id] { id = follow(next) }
    return id
  }
}
