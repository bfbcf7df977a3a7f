import CauldronModel

/// Which objects the context has, and what is remembered of looking for them.
///
/// A class that is held by a constant, so that looking for an object retains nothing.
final class Identity {
  /// An object of which a to-many relationship was walked; it may be gone by now.
  struct Walked: Hashable {
    let key: Int64
    let root: Int32
  }

  let map: IdentityMap
  /// The class that was created last; mostly the next one is the same.
  @exclusivity(unchecked) private final var last:
    (type: ManagedObject.Type, layout: EntityLayout.Unowned)?
  /// Whether a to-many relationship of any object was walked.
  var hasWalks = false
  /// The objects of which relationships were walked as contexts above show them that have not saved,
  /// and how often those had ended their edits then.
  var walksOfUnsaved: (objects: Set<Walked>, endedEdits: UInt64) = ([], 0)
  /// What is observed; nil where nobody has observed anything yet.
  @exclusivity(unchecked) final var observed: ObservedCells?
  /// The objects that were found by their unique values.
  var found = FoundObjects()
  /// When rows were read anew, for a context that trusts the cache for a time only.
  var readings = Readings()
  /// Up to which of the writes of others what was walked is forgotten.
  var seenOthers: UInt32 = 0

  init(_ place: Place) {
    map = IdentityMap(entities: place.entityCount)
  }

  @inline(__always)
  func object(_ key: Int64, root: Int32) -> ManagedObject? { map.object(key, root: root) }

  @inline(__always)
  func insert(_ object: ManagedObject, _ key: Int64, root: Int32) {
    map.insert(object, key, root: root)
  }

  func remove(_ key: Int64, root: Int32) { map.remove(key, root: root) }

  /// Every registered object.
  func objects() -> [ManagedObject] { map.objects() }

  var count: Int { map.count }

  /// The layout of a class's entity, if that was asked for last.
  @inline(__always)
  func lastLayout(of type: ManagedObject.Type) -> EntityLayout? {
    guard let last, last.type == type else { return nil }
    return last.layout.entity
  }

  /// The layout of a class's entity will be asked for again; the model keeps it.
  func remember(_ layout: EntityLayout, of type: ManagedObject.Type) {
    last = (type, EntityLayout.Unowned(entity: layout))
  }
}
