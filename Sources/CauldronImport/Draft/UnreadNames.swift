import CauldronModel

/// The names in records that no property is imported from, such as misspelt ones.
struct UnreadNames: Sendable {
  /// Of each name its entity and itself, in the order in which they were met: `Person.nmae`.
  private(set) var all: [String] = []
  /// How many objects of records are looked at: what is misspelt is so in the first ones.
  private static let limit = 100
  private var looks = 0

  /// Looks at the names of an object, unless many were looked at already.
  mutating func note(_ record: JSONValue, as plan: EntityPlan) {
    if looks >= Self.limit || plan.takesWholeRecords { return }
    looks += 1
    for (name, _) in record.members where !plan.takes(name) {
      add("\(plan.entity.name).\(name)")
    }
  }

  /// Adds those of another part of the records.
  mutating func formUnion(_ other: UnreadNames) {
    for name in other.all { add(name) }
  }

  private mutating func add(_ name: String) {
    if all.count < Self.limit, !all.contains(name) { all.append(name) }
  }

  /// Refuses a text of one object that has nothing of a record, and records under one of its names.
  static func checkForRoot(_ record: JSONValue, as plan: EntityPlan) throws(Refusal) {
    let members = record.members
    if plan.takesWholeRecords || members.contains(where: { plan.takes($0.name) }) { return }
    guard let list = members.first(where: { $0.value.kind == .array }) else { return }
    throw Refusal(
      .importRoot,
      "none of its names is imported by \(plan.entity.name). Import what is under \"\(list.name)\" with"
        + " root: \"\(list.name)\"")
  }
}
