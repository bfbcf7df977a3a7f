/// The identity of an object while its store is being migrated.
public struct MigrationID: Sendable, Hashable {
  /// The name of the object's own entity, in the model; in the store where the model has it no more.
  public let entity: String
  /// The object's key, which is that of its URI, too.
  public let key: Int64
  /// Whether the model has no such entity any more.
  package let isGone: Bool

  package init(entity: String, key: Int64, isGone: Bool) {
    self.entity = entity
    self.key = key
    self.isGone = isGone
  }
}

extension MigrationID: CustomStringConvertible {
  /// Entity and key: `Person/p7`.
  public var description: String { "\(entity)/p\(key)" }
}
