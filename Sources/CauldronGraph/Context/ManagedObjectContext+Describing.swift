import CauldronLedger
public import CauldronModel
import CauldronStore

extension ManagedObjectContext: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Class, address and name, as logs show them.
  ///
  /// The address stays the same for as long as the context exists, also where an unsaved object has
  /// kept it after its last reference.
  public var description: String { core.label.description }

  /// The same with the queue, the parent, and how many objects have changes that wait to be saved.
  public var debugDescription: String {
    "<\(core.label.name), \(core.label.queue), \(core.label.origin), \(core.label.unsavedCount) unsaved>"
  }

  /// What ``debugDescription`` tells, one child for each part.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "name": name, "queue": core.label.queue, "parent": parent?.description ?? "store",
        "unsaved": core.label.unsavedCount,
      ], displayStyle: .class)
  }
}

extension ManagedObjectID: CustomDebugStringConvertible, CustomReflectable {
  /// The URI.
  public var debugDescription: String { description }

  /// Nothing but the URI, which a dump shows in one line.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A context as messages and logs name it, whether its handle exists or not.
package struct ContextLabel {
  let address: UInt
  let place: Place
  let kind: ManagedObjectContext.ConcurrencyType
  let settings: SharedSettings

  /// The context as logs show it.
  package var description: String { "<\(name)>" }

  var name: String {
    "ManagedObjectContext (0x\(String(address, radix: 16))): \(settings.name)"
  }

  var queue: String { kind == .main ? "main queue" : "private queue" }

  var origin: String { place.parent.map { "child of \($0.name)" } ?? "on the store" }

  /// The objects in the layers that wait here; may be asked on any thread.
  var unsavedCount: Int {
    place.coordinator.ledger.layers(of: place.node).reduce(0) { $0 + $1.changes.count }
  }
}
