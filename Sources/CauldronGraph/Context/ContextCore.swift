import CauldronModel
import CauldronStore
import Foundation

/// The state of a context; lives as long as the context or any of its objects.
///
/// `@unchecked Sendable` because everything but the locked fields belongs to the context's owner of
/// the moment, which every entry proves.
@usableFromInline
package final class ContextCore: @unchecked Sendable {
  @usableFromInline let ownership: Ownership
  let place: Place
  let inbox = Inbox()
  let identity: Identity
  /// The running event. While the context is kept without a handle, the lists of the event and of
  /// `pending` change with the ownership's lock held.
  let event = EventState()
  @exclusivity(unchecked) package final var pending = Pending()
  @exclusivity(unchecked) final var keys: KeySupply
  /// Where new rows and edited copies are written.
  @exclusivity(unchecked) final var builder = RowBuilder()
  /// What is read together.
  @exclusivity(unchecked) final var groups = FaultGroups()
  /// Notes what can be undone, if the program wants that.
  @exclusivity(unchecked) final var undoManager: UndoManager?
  /// What carries out the undo manager's steps; made with the first undo manager.
  @exclusivity(unchecked) final var undoTarget: (any UndoTarget)?
  let settings: Locked<ContextSettings>
  /// The settings' `habits`, to be looked at without a lock.
  let habits = SharedWord()
  let observers = ContextObservers()

  init(
    coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext?,
    kind: ManagedObjectContext.ConcurrencyType, name: String
  ) {
    place = Place(coordinator: coordinator, parent: parent)
    ownership = Ownership(
      queue: ContextQueue(kind: kind == .main ? .main(coordinator.mainQueue) : .background),
      kind: kind)
    keys = KeySupply(coordinator.keys, entityCount: place.entityCount)
    identity = Identity(place)
    settings = Locked(ContextSettings(name: name))
    node.tie(to: self)
    coordinator.ledger.nodes.add(node)
  }

  /// Shows the objects what was done elsewhere.
  var catchUp: CatchUp { CatchUp(self) }
  /// Keeps edits of objects that could not be read.
  var unreadEdits: UnreadEdits { UnreadEdits(self) }
  /// Finds objects, and creates those that are not there.
  var finder: Finder { Finder(self) }
  /// Ends events.
  var publisher: Publisher {
    @inline(__always) get { Publisher(self) }
  }
  /// Reads registered objects anew.
  var refresher: Refresher { Refresher(self) }

  var name: String { settings.withLock { $0.name } }

  /// The context as logs show it, whether its handle exists or not.
  package var description: String { "<\(label)>" }

  var label: String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    return "ManagedObjectContext (0x\(String(address, radix: 16))): \(name)"
  }

  var queueName: String { ownership.kind == .main ? "main queue" : "private queue" }

  /// The objects in the layers that wait here; may be asked on any thread.
  var unsavedCount: Int {
    coordinator.ledger.layers(of: node).reduce(0) { $0 + $1.changes.count }
  }
}
