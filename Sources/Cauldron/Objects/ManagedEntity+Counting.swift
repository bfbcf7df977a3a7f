public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// How many objects a condition selects, unsaved changes of the context's chain included.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public static func count(
    where condition: Where<Self>? = nil, in context: some ObjectContext
  ) throws -> Int {
    try context.count(for: request(condition))
  }

  /// The object with an ID; nil if it does not exist, or is of another entity.
  /// - Throws: `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  public static func find(_ id: ManagedObjectID, in context: some ObjectContext) throws -> Self? {
    do {
      return try context.existingObject(with: id) as? Self
    } catch let error as CauldronError where error.code == .objectNotFound {
      return nil
    }
  }
}
