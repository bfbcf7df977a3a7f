public import CauldronGraph
public import CauldronModel

extension ManagedEntity {
  /// The name of the class's entity.
  public static var entityName: String { _entityName }

  /// The description of the class's entity, as the model of a context has it.
  /// - Throws: `model.unknownEntity` where the model has not the class.
  public static func entityDescription(
    in context: ManagedObjectContext
  ) throws -> EntityDescription {
    try layout(in: context).description
  }

  /// The descriptions of properties, inherited ones included, in the order of their names as given.
  ///
  /// ```swift
  /// let columns = try Person.properties(named: ["name", "age"], in: context)
  /// ```
  /// - Throws: `query.unknownKey` for a name that no property has; `model.unknownEntity`.
  public static func properties(
    named names: [String], in context: ManagedObjectContext
  ) throws -> [PropertyDescription] {
    let layout = try layout(in: context)
    return try names.map { name in
      if let found = layout.properties.first(where: { $0.name == name }) {
        return found.description
      }
      throw CauldronError(
        .queryUnknownKey, "Entity \"\(layout.name)\" has no property \"\(name)\".",
        hint: Suggestion.hint(for: name, among: layout.properties.map(\.name))
      ).with {
        $0.entity = layout.name
        $0.property = name
      }
    }
  }

  /// The description of the class's entity, in the context of the running block.
  public static func entityDescription(in context: LocalContext) throws -> EntityDescription {
    try entityDescription(in: context.context)
  }

  /// The descriptions of properties, in the context of the running block.
  public static func properties(
    named names: [String], in context: LocalContext
  ) throws -> [PropertyDescription] {
    try properties(named: names, in: context.context)
  }

  private static func layout(in context: ManagedObjectContext) throws -> EntityLayout {
    let model = context.persistentStoreCoordinator.managedObjectModel
    if let layout = model.layout(named: _entityName) { return layout }
    throw CauldronError(
      .modelUnknownEntity, "No entity \"\(_entityName)\" in model \"\(model.name)\".",
      hint: Suggestion.hint(for: _entityName, among: model.entityLayouts.map(\.name)))
  }
}
