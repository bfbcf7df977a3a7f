public import CauldronModel
import CauldronStore

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
    "<\(core.label), \(core.queueName), \(core.origin), \(core.unsavedCount) unsaved>"
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

extension ContextCore {
  /// The context as logs show it, whether its handle exists or not.
  package var description: String { "<\(label)>" }

  fileprivate var label: String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return "ManagedObjectContext (0x\(String(address, radix: 16))): \(name)"
  }

  var queueName: String { ownership.kind == .main ? "main queue" : "private queue" }

  fileprivate var origin: String { parent.map { "child of \($0.name)" } ?? "on the store" }

  /// The objects in the layers that wait here; may be asked on any thread.
  var unsavedCount: Int {
    coordinator.ledger.layers(of: node).reduce(0) { $0 + $1.changes.count }
  }
}

extension ManagedObjectID: CustomDebugStringConvertible, CustomReflectable {
  /// The URI.
  public var debugDescription: String { description }

  /// Nothing but the URI, which a dump shows in one line.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
