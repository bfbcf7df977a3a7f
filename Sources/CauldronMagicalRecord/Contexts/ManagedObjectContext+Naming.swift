public import Cauldron

extension ManagedObjectContext {
  /// Sets the name that logs and errors use.
  @available(*, deprecated, message: "set 'name'")
  public func mr_setWorkingName(_ name: String) { self.name = name }

  /// The name that logs and errors use.
  @available(*, deprecated, renamed: "getter:name()")
  public func mr_workingName() -> String { name }

  /// Class, address and name.
  @available(*, deprecated, renamed: "getter:description()")
  public func mr_description() -> String { description }

  /// The context and its ancestors, a line for each; this one has a star.
  @available(*, deprecated, message: "use 'parentChain', which has the contexts")
  public func mr_parentChain() -> String {
    "\n" + parentChain.map { "- \($0)\($0 === self ? " (*)" : "")\n" }.joined()
  }
}
