/// Which objects of the running event refer to which, while deletions are carried on: what the event
/// itself has changed is in no layer yet, and going through all of it for each walk would take the
/// square of the time.
///
/// An entry is a hint: whether the reference still leads there is for the caller to look at.
struct ReferrerIndex {
  private struct Place: Hashable {
    let target: ObjectIdentifier
    let property: Int
  }

  private var referrers: [Place: [ManagedObject]] = [:]

  /// Notes that a property of an object leads to another one now.
  mutating func note(_ object: ManagedObject, at property: Int, leadingTo target: ManagedObject) {
    referrers[Place(target: ObjectIdentifier(target), property: property), default: []]
      .append(object)
  }

  /// The objects of which the property with an index has led to an object during the event.
  func referrers(to target: ManagedObject, by property: Int) -> [ManagedObject] {
    referrers[Place(target: ObjectIdentifier(target), property: property)] ?? []
  }
}
