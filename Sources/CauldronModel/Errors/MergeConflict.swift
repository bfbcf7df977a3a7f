/// Two versions of one object that could not be brought together.
public struct MergeConflict: Sendable, Hashable {
  /// The object.
  public let objectID: ManagedObjectID
  /// The object's entity.
  public let entityName: String
  /// The values that the saving context had read, before its edits.
  public let objectSnapshot: [String: AttributeScalar]
  /// The newest values that the chain of contexts or the row cache had; nil if the object was
  /// deleted there.
  public let cachedSnapshot: [String: AttributeScalar]?
  /// The values in the store, where the conflict was found there.
  public let persistedSnapshot: [String: AttributeScalar]?
  /// The version that the saving context had read.
  public let oldVersion: Int
  /// The version that it met; 0 for a deletion.
  public let newVersion: Int

  package init(
    objectID: ManagedObjectID, entity: EntityLayout, base: RowPointer, cached: RowPointer?,
    persisted: RowPointer?
  ) {
    self.objectID = objectID
    entityName = entity.name
    objectSnapshot = base.snapshot(entity)
    cachedSnapshot = cached?.snapshot(entity)
    persistedSnapshot = persisted?.snapshot(entity)
    oldVersion = Int(base.version)
    newVersion = Int((persisted ?? cached)?.version ?? 0)
  }
}

extension RowPointer {
  /// The attributes and to-one keys by property name.
  package func snapshot(_ entity: EntityLayout) -> [String: AttributeScalar] {
    var result: [String: AttributeScalar] = [:]
    for property in entity.properties {
      guard let storage = property.storageClass else { continue }
      result[property.name] = scalar(property.index, storage)
    }
    return result
  }
}
