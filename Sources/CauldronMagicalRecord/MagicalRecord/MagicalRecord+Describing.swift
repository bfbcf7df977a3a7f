import Cauldron

extension MagicalRecord {
  /// The version of Cauldron.
  @available(*, deprecated, renamed: "getter:Stack.libraryVersion()")
  public static func version() -> String { Stack.libraryVersion }

  /// What the default stack is made of, in several lines.
  @available(*, deprecated, renamed: "getter:Stack.default.summary()")
  public static func currentStack() -> String { Stack.default.summary }

  /// The name of the store that ``setupCoreDataStack()`` opens.
  @available(*, deprecated, renamed: "getter:Stack.defaultStoreName()")
  public static func defaultStoreName() -> String { Stack.defaultStoreName }
}
