public import Cauldron

// What has no counterpart: the compiler tells what to do instead.

extension MagicalRecord {
  /// Models are made of classes.
  @available(*, unavailable, message: "models are made of classes: ManagedObjectModel(Person.self)")
  public static func setDefaultModelNamed(_ name: String) {}

  /// There is no handler by selector.
  @available(*, unavailable, message: "set 'MagicalRecord.errorHandler'")
  public static func setErrorHandlerTarget(_ target: Any, action: Any) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'context.save { … } completion: { … }'")
  public static func saveUsingCurrentThreadContext(
    _ block: @escaping @Sendable (LocalContext) -> Void,
    completion: (@Sendable (Bool, (any Error)?) -> Void)?
  ) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'try context.saveAndWait { … }'")
  public static func saveUsingCurrentThreadContext(blockAndWait block: (LocalContext) -> Void) {}

  /// There is no context of the current thread.
  @available(*, unavailable, message: "name the context: 'context.save { … } completion: { … }'")
  public static func saveInBackgroundUsingCurrentContext(
    _ block: @escaping @Sendable (LocalContext) -> Void, completion: (@Sendable () -> Void)?,
    errorHandler: (@Sendable (any Error) -> Void)?
  ) {}

  /// There are no prefixes.
  @available(*, unavailable, message: "the new calls have no prefixes")
  public static func enableShorthandMethods() {}
}
