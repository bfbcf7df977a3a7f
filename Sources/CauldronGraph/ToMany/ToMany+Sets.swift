// A relationship is a set: what is in it already stays, and what is not is not missed.
extension ToMany {
  /// One of the objects; nil if there are none.
  public var first: Object? { objects.first }

  /// Adds objects and sets their inverse.
  ///
  /// ```swift
  /// item.tags.insert(contentsOf: [swift, linux])
  /// ```
  public func insert(contentsOf objects: some Sequence<Object>) {
    insert(all: Array(objects))
  }

  /// Takes all objects out and clears their inverse.
  public func removeAll() { removeAll { _ in true } }

  /// Takes those objects out that a condition holds for.
  public func removeAll(where isRemoved: (Object) throws -> Bool) rethrows {
    for object in objects where try isRemoved(object) { remove(object) }
  }

  /// Adds the objects of another collection.
  public func formUnion(_ other: some Sequence<Object>) { insert(contentsOf: other) }

  /// Takes the objects of another collection out.
  public func subtract(_ other: some Sequence<Object>) {
    for object in other { remove(object) }
  }

  /// Takes all objects out that another collection does not have.
  public func formIntersection(_ other: some Sequence<Object>) {
    let kept = Set(other)
    removeAll { !kept.contains($0) }
  }
}
