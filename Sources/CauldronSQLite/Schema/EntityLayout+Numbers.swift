import CauldronModel

extension Sequence where Element == EntityLayout {
  /// The numbers as SQL takes a list of them.
  var numberList: String { map { "\($0.number)" }.joined(separator: ", ") }
}

extension EntityLayout {
  /// The numbers of the entity and all below it, as SQL takes a list of them.
  var familyNumberList: String { family.map(\.entity).numberList }
}
