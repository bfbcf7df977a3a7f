public import CauldronGraph
public import CauldronModel

extension ObjectQuery {
  /// Reads what relationships lead to with the objects, many at once.
  ///
  /// ```swift
  /// let people = try Person.where(\.age >= 18).prefetching(\.employer, \.pets).fetch(in: context)
  /// ```
  /// - Complexity: One statement for each relationship and 512 objects.
  public func prefetching(_ relationships: PartialKeyPath<Object>...) -> ObjectQuery {
    prefetching(relationships.map { KeyPathTable.name(of: $0) })
  }

  /// The same by name, through several relationships where points stand between names, such as
  /// `employer.address`.
  public func prefetching(_ paths: [String]) -> ObjectQuery {
    changed { $0.relationshipKeyPathsForPrefetching += paths }
  }

  /// Whether objects that are not registered come as faults, without their rows; they do not by default.
  public func returningObjectsAsFaults(_ returns: Bool = true) -> ObjectQuery {
    changed { $0.returnsObjectsAsFaults = returns }
  }
}

extension ManagedEntity {
  /// How many objects a to-many relationship leads to, for many owners at once.
  ///
  /// ```swift
  /// let sizes = try Company.counts(of: \.employees, for: companies, in: context)
  /// ```
  /// - Parameter owners: Objects of the context; those that are deleted, or gone, get no number.
  /// - Throws: `query.…` where the key path is no to-many relationship, `store.…`.
  /// - Complexity: One statement for each entity that owners are of; with pending changes the rows are
  ///   read.
  public static func counts(
    of relationship: PartialKeyPath<Self>, for owners: [Self], in context: some ObjectContext
  ) throws -> [ManagedObjectID: Int] {
    try context.managedObjectContext.counts(of: KeyPathTable.name(of: relationship), for: owners)
  }
}
