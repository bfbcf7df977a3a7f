/// What a context remembers of how its faults are come by, so that those of one fetch fire together.
///
/// Nothing is kept for each object: who stands beside whom, the identity map knows.
struct FaultGroups {
  /// A fault that was reached by a to-one relationship: what the owners beside this one lead to is likely
  /// to be wanted, too.
  struct Way {
    let owner: Int64
    let ownerEntity: Int32
    let property: Int
    let destination: Int64
    let destinationEntity: Int32
  }

  /// The most rows that one statement reads ahead.
  static let size = 500
  /// The most objects that are looked at for them, where few have been found so far.
  private static let reach = 4_096
  /// The most rows that are read ahead of a to-many relationship.
  static let mostRows = 8_192

  /// How the last fault was reached.
  var way: Way?
  /// How many rows were read ahead.
  private var found = 0
  /// The numbers of the root entities of which objects were fetched as faults.
  private(set) var faulted: Set<Int32> = []
  /// For how many owners a to-many relationship is read at a time, where these lead to many objects.
  private var owners: [Walk: Int] = [:]

  private struct Walk: Hashable {
    let entity: Int32
    let property: Int
  }

  /// Whether others may be read with a fault.
  @inline(__always)
  func mayLead(to object: ManagedObject) -> Bool {
    way?.destination == object.key || !faulted.isEmpty
  }

  /// The most objects to look at: as many as pay for themselves where all are walked in any order.
  var reach: Int { Self.reach + 8 * found }

  /// Where much has to be looked at for few, less is looked at the next time.
  mutating func noteFound(_ count: Int) {
    if count < Self.size / 8 { found /= 2 } else { found += count }
  }

  mutating func noteFaulted(_ root: Int32) { faulted.insert(root) }

  /// How many owners' relationships are read together.
  func ownerCount(_ entity: Int32, _ property: Int) -> Int {
    owners[Walk(entity: entity, property: property)] ?? Self.size
  }

  /// So many owners lead to too many objects.
  mutating func noteTooMany(_ count: Int, _ entity: Int32, _ property: Int) {
    owners[Walk(entity: entity, property: property)] = count / 8
  }
}
