public import Cauldron

extension ManagedObjectModel {
  /// The model of the default stack; before there is one, what was set, or else that of all `@Entity`
  /// classes of the program.
  @available(*, deprecated, renamed: "getter:Stack.default.model()")
  public static func mr_default() -> ManagedObjectModel? {
    if Stack.isSetUp { return Stack.default.model }
    return MagicalRecord.model ?? mr_mergedObjectModelFromMainBundle()
  }

  /// The model of all `@Entity` classes of the program; nil where they do not go together, which is
  /// reported.
  @available(*, deprecated, renamed: "ManagedObjectModel.discovered()")
  public static func mr_mergedObjectModelFromMainBundle() -> ManagedObjectModel? {
    MagicalRecord.attempt { try ManagedObjectModel.discovered() }
  }

  /// Sets the model that the next set-up opens its store with; nil for all `@Entity` classes.
  @available(*, deprecated, message: "give the stack its model: 'setupStack(storeURL:model:)'")
  public static func mr_setDefaultManagedObjectModel(_ model: ManagedObjectModel?) {
    MagicalRecord.model = model
  }
}
