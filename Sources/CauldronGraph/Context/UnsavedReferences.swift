import CauldronModel
import CauldronStore

/// Which unsaved objects lead, or have led, to which, for the questions what was changed of a to-many
/// relationship, and which ends of one-to-one links were edited together: going through all that is unsaved
/// for each object would take the square of the time.
///
/// An entry is a hint: whether the reference leads, or led, there is for the caller to look at.
struct UnsavedReferences {
  struct Owner: Hashable {
    let key: Int64
    let root: Int32
  }

  /// The objects that lead anywhere, each once.
  private(set) var objects: [ManagedObject] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var referrers: [Owner: Set<Int>] = [:]

  /// Notes where an object leads, and where it led before its unsaved changes.
  /// - Complexity: O(to-one relationships).
  mutating func note(_ object: ManagedObject) {
    if object.isFault { return }
    let references = object.layout.digest.toOnes.filter { $0.ownersRoot != nil || $0.isOneToOne }
    if references.isEmpty { return }
    let rows = object.rowsOfChange
    for property in references {
      guard let destination = property.destination?.entity else { continue }
      for row in rows where !row.isNull(property.index) {
        let owner = Owner(key: row.slot(property.index), root: destination.rootNumber)
        referrers[owner, default: []].insert(place(of: object))
      }
    }
  }

  private mutating func place(of object: ManagedObject) -> Int {
    if let place = places[ObjectIdentifier(object)] { return place }
    places[ObjectIdentifier(object)] = objects.count
    objects.append(object)
    return objects.count - 1
  }

  /// What they lead, or have led, to, in the order of entities and keys.
  var owners: [Owner] {
    referrers.keys.sorted { ($0.root, $0.key) < ($1.root, $1.key) }
  }

  /// Whether something is true of one that leads, or has led, to an object.
  func hasReferrer(to owner: ManagedObject, where isWanted: (ManagedObject) -> Bool) -> Bool {
    let owner = Owner(key: owner.key, root: owner.layout.rootNumber)
    return referrers[owner]?.contains { isWanted(objects[$0]) } ?? false
  }

  /// Those that lead, or have led, to an object.
  func referrers(to owner: ManagedObject) -> [ManagedObject] {
    let owner = Owner(key: owner.key, root: owner.layout.rootNumber)
    return referrers[owner]?.map { objects[$0] } ?? []
  }
}

extension ManagedObject {
  /// What the object shows, and what it showed before its unsaved changes and before those of the event.
  fileprivate var rowsOfChange: [RowPointer] {
    let edits = extras?.edits
    let before = [edits?.committed?.row, edits?.eventBase?.row, untoldChange?.base]
    return [RowPointer(row), trackedRow] + before.compactMap { $0 }
  }
}
