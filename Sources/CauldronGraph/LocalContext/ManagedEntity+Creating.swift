extension ManagedEntity {
  /// Creates an object in the context of the running block; the same as `create(in:)`, and as
  /// ``ManagedObject/init(context:)`` elsewhere.
  public init(context: LocalContext) { self.init(context: context.context) }
}
