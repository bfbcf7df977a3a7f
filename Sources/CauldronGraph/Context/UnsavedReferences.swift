import CauldronModel

/// Which unsaved objects lead, or have led, to which, for the question what was changed of a to-many
/// relationship: going through all that is unsaved for each object would take the square of the time.
///
/// An entry is a hint: whether the reference leads, or led, there is for the caller to look at.
struct UnsavedReferences {
  private struct Owner: Hashable {
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
    for property in object.layout.digest.toOnes where property.inverseIsToMany {
      guard let destination = property.destination?.entity else { continue }
      for row in object.rowsOfChange where !row.isNull(property.index) {
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

  /// Those that lead, or have led, to an object.
  func referrers(to owner: ManagedObject) -> [ManagedObject] {
    let owner = Owner(key: owner.key, root: owner.layout.rootNumber)
    return referrers[owner]?.map { objects[$0] } ?? []
  }
}

extension PropertyLayout {
  /// Whether the relationship at the other end leads to many objects.
  fileprivate var inverseIsToMany: Bool {
    destination.map { $0.entity.properties[$0.inverse].kind == .toMany } ?? false
  }
}

extension ManagedObject {
  /// What the object shows, and what it showed before its unsaved changes and before those of the event.
  fileprivate var rowsOfChange: [RowPointer] {
    let before = [extras?.edits.committed, extras?.edits.eventBase].compactMap { $0?.row }
    return [RowPointer(row), trackedRow] + before
  }
}

extension ContextCore {
  /// The unsaved objects that lead, or have led, to an object.
  /// - Complexity: O(what is found); where this is asked for the first time since the context was saved or
  ///   has taken others' changes in, O(unsaved objects).
  func unsavedReferrers(to owner: ManagedObject) -> [ManagedObject] {
    if pending.references == nil {
      var references = UnsavedReferences()
      for object in pending.objects { references.note(object) }
      for object in event.objects { references.note(object) }
      ownership.changeLists { pending.references = references }
    }
    return pending.references?.referrers(to: owner) ?? []
  }

  /// Notes where an unsaved object leads.
  @inline(__always)
  func noteReferences(of object: ManagedObject) {
    if pending.references != nil { ownership.changeLists { pending.references?.note(object) } }
  }

  /// References have changed otherwise than by edits: who asks for them has to look anew.
  func forgetReferences() {
    if pending.references != nil { ownership.changeLists { pending.references = nil } }
  }
}
