import CauldronModel

/// A function of an object's life cycle that runs now.
package struct RunningHook {
  /// Its name, as the class declares it.
  let name: String
  fileprivate let entity: EntityLayout.Unowned
  /// Whether a save calls it.
  let isOfSave: Bool
  /// Whether an import calls it.
  let isOfImport: Bool

  /// - Parameter outer: The one in which it runs.
  init(
    _ name: String, of object: ManagedObject, isOfSave: Bool, isOfImport: Bool,
    within outer: RunningHook?
  ) {
    self.name = name
    entity = EntityLayout.Unowned(entity: object.layout)
    self.isOfSave = isOfSave || outer?.isOfSave == true
    self.isOfImport = isOfImport || outer?.isOfImport == true
  }
}

extension RunningHook: CustomStringConvertible {
  /// Such as `willSave() of Person`.
  package var description: String { "\(name) of \(entity.entity.name)" }
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
  mutating func note(_ object: ManagedObject, flags: SnapshotEventType) {
    if let place = places[ObjectIdentifier(object)] {
      snapshots[place].flags.formUnion(flags)
    } else {
      places[ObjectIdentifier(object)] = snapshots.count
      snapshots.append((object, flags))
    }
  }
}
