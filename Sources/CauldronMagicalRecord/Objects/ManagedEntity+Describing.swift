public import Cauldron

extension ManagedEntity {
  /// The name of the class's entity.
  @available(*, deprecated, renamed: "getter:entityName()")
  public static func mr_entityName() -> String { entityName }

  /// The description of the class's entity in the default context; nil where its model has not the
  /// class.
  @available(*, deprecated, message: "use 'try entityDescription(in: .default)'")
  @MainActor
  public static func mr_entityDescription() -> EntityDescription? {
    mr_entityDescription(in: ManagedObjectContext.default)
  }

  /// The description of the class's entity; nil where the context's model has not the class.
  @available(*, deprecated, renamed: "entityDescription(in:)")
  public static func mr_entityDescription(in context: some ObjectContext) -> EntityDescription? {
    let context = context.managedObjectContext
    return MagicalRecord.attempt(in: context) { try entityDescription(in: context) }
  }

  /// The descriptions of properties in the default context; a name that none has is reported and
  /// left out.
  @available(*, deprecated, message: "use 'try properties(named: …, in: .default)'")
  @MainActor
  public static func mr_propertiesNamed(_ names: [String]) -> [PropertyDescription]? {
    mr_propertiesNamed(names, in: ManagedObjectContext.default)
  }

  /// The descriptions of properties; a name that none has is reported and left out.
  @available(*, deprecated, renamed: "properties(named:in:)")
  public static func mr_propertiesNamed(
    _ names: [String], in context: some ObjectContext
  ) -> [PropertyDescription]? {
    let context = context.managedObjectContext
    return names.flatMap { name in
      MagicalRecord.attempt(in: context) { try properties(named: [name], in: context) } ?? []
    }
  }

  /// How many rows a request in an order reads at a time.
  @available(*, deprecated, message: "see 'fetchBatchSize' of a request")
  public static func mr_defaultBatchSize() -> UInt { UInt(MagicalRecord.defaultBatchSize) }

  /// Sets how many rows each request in an order reads at a time.
  @available(*, deprecated, message: "set 'fetchBatchSize' of a request")
  public static func mr_setDefaultBatchSize(_ size: UInt) {
    MagicalRecord.defaultBatchSize = Int(clamping: size)
  }
}
