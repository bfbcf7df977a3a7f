package import CauldronModel

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
