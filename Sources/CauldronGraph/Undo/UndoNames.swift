import CauldronModel

/// Which objects stand for others that were created anew, because those are deleted for good.
struct UndoNames {
  private var successors: [ManagedObjectID: ManagedObjectID] = [:]

  var isEmpty: Bool { successors.isEmpty }

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
