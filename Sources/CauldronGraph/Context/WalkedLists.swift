import CauldronModel
import CauldronStore

/// Which to-many relationships of a context's objects were walked, and when that is forgotten.
///
/// What a walk has found lies with the object; here is known only whether there is any such thing, so that
/// forgetting costs nothing where nothing was walked.
package final class WalkedLists {
  private let announcer: Announcer
  /// Whether a to-many relationship of any object was walked.
  private(set) var hasWalks = false
  /// The objects of which relationships were walked as contexts above show them that have not saved,
  /// and how often those had ended their edits then.
  private(set) var walksOfUnsaved: (objects: Set<Registry.Key>, endedEdits: UInt64) = ([], 0)
  /// Up to which of the writes of others what was walked is forgotten.
  private var seenOthers: UInt32 = 0

  init(announcer: Announcer) { self.announcer = announcer }

  var registry: Registry { announcer.registry }

  /// Notes that a to-many relationship of an object was walked.
  func noteWalk() { hasWalks = true }

  /// Forgets every walked to-many relationship; the next walk reads anew.
  /// - Complexity: O(registered objects); nothing where none was walked.
  package func forgetAllWalks() {
    if announcer.cells != nil { announcer.noteAllToMany() }
    guard hasWalks else { return }
    hasWalks = false
    walksOfUnsaved.objects = []
    for object in registry.map.objects() { object.extras?.forgetWalks() }
  }

  /// Forgets what was walked before others wrote to the store for the last time.
  /// - Parameter writes: How often they did, as far as this process has noticed.
  func forgetWalks(before writes: UInt32) {
    guard writes != seenOthers else { return }
    seenOthers = writes
    forgetAllWalks()
  }

  /// Notes that a walk shows unsaved edits of contexts above. An edit that is set back before its
  /// save is in no change set, so no notice of it will come.
  /// - Complexity: O(1), amortized; objects that are gone are left out whenever the number has
  ///   doubled.
  func noteWalkOfUnsaved(_ object: ManagedObject, endedEdits: UInt64) {
    if walksOfUnsaved.objects.isEmpty { walksOfUnsaved.endedEdits = endedEdits }
    if walksOfUnsaved.objects.count > 2 * registry.map.count + 64 {
      walksOfUnsaved.objects = walksOfUnsaved.objects.filter {
        registry.map.object($0.key, root: $0.root) != nil
      }
    }
    walksOfUnsaved.objects.insert(Registry.Key(key: object.key, root: object.layout.rootNumber))
  }

  /// Forgets what was walked over edits of contexts above that are saved or dropped by now.
  /// - Parameter endedEdits: How often they have ended edits.
  /// - Complexity: O(objects that were walked so).
  func forgetWalks(ofUnsaved endedEdits: UInt64) {
    guard endedEdits != walksOfUnsaved.endedEdits else { return }
    for object in walksOfUnsaved.objects {
      registry.map.object(object.key, root: object.root)?.forgetWalks()
    }
    walksOfUnsaved.objects = []
  }

  /// Forgets the walked to-many relationships that changed references belong to.
  /// - Complexity: O(min(registered objects, changed rows)); nothing where none was walked.
  func forgetWalks(_ changes: EntityChanges) {
    guard hasWalks else { return }
    if !changes.deleted.isEmpty { forgetLinked(changes.entity) }
    for property in changes.entity.digest.toOnes {
      guard let destination = property.destination else { continue }
      if registry.map.count < changes.count {
        for object in registry.map.objects() where object.layout.isKind(of: destination.entity) {
          object.extras?.forgetWalk(of: destination.inverse)
        }
      } else {
        forgetWalks(changes, through: property, destination: destination)
      }
    }
  }

  /// Forgets the walked many-to-many relationships that may have led to deleted objects: no notice
  /// need come of the links.
  private func forgetLinked(_ entity: EntityLayout) {
    let linked = entity.digest.relationships.filter { $0.join != nil }.compactMap(\.destination)
    if linked.isEmpty { return }
    for object in registry.map.objects() {
      guard let extras = object.extras, !extras.toMany.isEmpty else { continue }
      for end in linked where object.layout.isKind(of: end.entity) {
        extras.forgetWalk(of: end.inverse)
      }
    }
  }

  private func forgetWalks(
    _ changes: EntityChanges, through property: PropertyLayout,
    destination: PropertyLayout.Destination
  ) {
    let root = destination.entity.root.number
    changes.forEachReference(by: property) {
      registry.map.object($0, root: root)?.extras?.forgetWalk(of: destination.inverse)
    }
  }
}
