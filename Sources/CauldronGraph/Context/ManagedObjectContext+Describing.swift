public import CauldronModel

extension ManagedObjectContext: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Class, address and name, as logs show them.
  ///
  /// The address stays the same for as long as the context exists, also where an unsaved object has
  /// kept it after its last reference.
  public var description: String { core.description }

  /// The same with the queue, the parent, and how many objects have changes that wait to be saved.
  public var debugDescription: String {
    "<\(core.label), \(core.queueName), \(origin), \(core.unsavedCount) unsaved>"
  }

  /// What ``debugDescription`` tells, one child for each part.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "queue": core.queueName, "parent": parent?.description ?? "store",
        "unsaved": core.unsavedCount,
      ], displayStyle: .class)
  }
}

extension ManagedObjectContext {
  fileprivate var origin: String { core.parent.map { "child of \($0.name)" } ?? "on the store" }
}

extension ManagedObjectID: CustomDebugStringConvertible, CustomReflectable {
  /// The URI.
  public var debugDescription: String { description }

  /// Nothing but the URI, which a dump shows in one line.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
