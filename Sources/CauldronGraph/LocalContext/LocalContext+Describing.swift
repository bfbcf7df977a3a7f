extension LocalContext: CustomStringConvertible, CustomDebugStringConvertible {
  /// The context's description.
  public var description: String { context.description }

  /// The context's description with its queue, its parent and what waits to be saved.
  public var debugDescription: String { context.debugDescription }
}

extension ManagedObject {
  /// The same object in the context of the running block.
  public final func `in`(_ context: LocalContext) -> Self { self.in(context.context) }
}
