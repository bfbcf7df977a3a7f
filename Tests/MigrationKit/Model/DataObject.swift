import CauldronModel

/// An object as dictionaries; other objects are named by keys of the test's own.
struct DataObject: Equatable, Sendable {
  var entity: String
  /// The attributes that have a value.
  var values: [String: AttributeScalar] = [:]
  /// The to-one relationships that lead somewhere.
  var references: [String: Int] = [:]
  /// The to-many relationships, in order where there is one, and else by key.
  var lists: [String: [Int]] = [:]

  init(entity: String) { self.entity = entity }
}
