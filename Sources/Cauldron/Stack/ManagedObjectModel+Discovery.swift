public import CauldronGraph
public import CauldronModel

extension ManagedObjectModel {
  /// The model of every `@Entity` class of the program.
  /// - Throws: `model.invalid`.
  public static func discovered(name: String = "Model") throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: EntityDiscovery.classes().map { $0._describeEntity() }, name: name)
  }

  /// The model of some `@Entity` classes.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(Person.self, Company.self)
  /// ```
  /// - Throws: `model.invalid`, for instance where the destination of a relationship is left out.
  public convenience init(_ types: ManagedObject.Type..., name: String = "Model") throws {
    try self.init(entities: types.map { $0._describeEntity() }, name: name)
  }
}
