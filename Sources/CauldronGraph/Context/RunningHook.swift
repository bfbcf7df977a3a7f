/// A function of an object's life cycle that runs now.
struct RunningHook {
  /// Its name, as the class declares it.
  let name: String
  /// The number of the object's entity.
  let entityNumber: Int32
  /// Whether a save calls it.
  let isOfSave: Bool
  /// Whether an import calls it.
  var isOfImport = false
}

/// The hooks that wait until the context may be used for anything.
struct WaitingHooks {
  /// The objects whose rows were read, and that are yet to be told.
  var asleep: [ManagedObject] = []
  /// The objects that show values of another moment.
  private(set) var snapshots: [(object: ManagedObject, flags: SnapshotEventType)] = []
  private var places: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { asleep.isEmpty && snapshots.isEmpty }

  /// The objects that are to be told of their rows, which is the caller's to see to now.
  mutating func takeAsleep() -> [ManagedObject] {
    defer { asleep = [] }
    return asleep
  }

  /// The objects that are to be told of their values, which is the caller's to see to now.
  mutating func takeSnapshots() -> [(object: ManagedObject, flags: SnapshotEventType)] {
    defer { (snapshots, places) = ([], [:]) }
    return snapshots
  }

  /// Notes what has happened to an object, which is told once of all of it.
  mutating func note(_ object: ManagedObject, _ flags: SnapshotEventType) {
    if let place = places[ObjectIdentifier(object)] {
      snapshots[place].flags.formUnion(flags)
    } else {
      places[ObjectIdentifier(object)] = snapshots.count
      snapshots.append((object, flags))
    }
  }
}
