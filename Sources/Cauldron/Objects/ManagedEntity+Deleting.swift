public import CauldronGraph
import CauldronModel

extension ManagedEntity {
  /// Marks the objects deleted that a condition selects: as unsaved changes of the context, with the
  /// delete rules and hooks of each, as if `delete()` were called one by one.
  ///
  /// ```swift
  /// try Person.deleteAll(where: \.age > 99, in: context)
  /// ```
  /// - Parameters:
  ///   - condition: Which objects, those of subentities included; nil for all.
  ///   - context: Whose objects; unsaved changes of its chain decide which are found.
  /// - Returns: How many objects were found and marked; those that delete rules add are not counted.
  /// - Throws: `query.…`, `store.…`; then nothing is marked.
  /// - Complexity: One statement, and O(found objects), which are all in memory until the save.
  @discardableResult
  public static func deleteAll(
    where condition: Where<Self>?, in context: some ObjectContext
  ) throws -> Int {
    let found = try findAll(where: condition, in: context)
    for object in found { object.delete() }
    return found.count
  }

  /// Marks all objects of the entity and of its subentities deleted; see ``deleteAll(where:in:)``.
  ///
  /// ```swift
  /// try Person.truncateAll(in: context)
  /// ```
  /// - Returns: How many objects were marked.
  /// - Throws: `store.…`.
  @discardableResult
  public static func truncateAll(in context: some ObjectContext) throws -> Int {
    try deleteAll(where: nil, in: context)
  }

  /// Marks the objects deleted that a condition selects, in the default context.
  @MainActor @discardableResult
  public static func deleteAll(where condition: Where<Self>?) throws -> Int {
    try deleteAll(where: condition, in: ManagedObjectContext.default)
  }

  /// Marks all objects of the entity and of its subentities deleted, in the default context.
  @MainActor @discardableResult
  public static func truncateAll() throws -> Int {
    try truncateAll(in: ManagedObjectContext.default)
  }
}

extension ManagedObject {
  /// Marks the object deleted in another context; this one does not learn of it before it is saved.
  ///
  /// - Returns: Whether that context has the object: false where it does not exist there, because
  ///   nobody has saved it, or because it is deleted.
  /// - Throws: `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  @discardableResult
  public final func delete(in context: some ObjectContext) throws -> Bool {
    do {
      try context.existingObject(with: objectID).delete()
      return true
    } catch let error as CauldronError where error.code == .objectNotFound {
      return false
    }
  }
}
