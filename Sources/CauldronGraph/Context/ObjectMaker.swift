import CCauldron
import CauldronLedger
import CauldronModel

/// Makes the objects of many rows.
struct ObjectMaker {
  private let place: Place
  private let registry: Registry
  private let hooks: Hooks
  private let reader: Reader
  private var entityNumber: Int32 = 0
  private var root: Int32 = 0
  private var type: ManagedObject.Type = ManagedObject.self
  /// Whether a row may be newer than what its object shows, and shall be shown then.
  private let refreshes: Bool

  init(reader: Reader, refreshing: Bool) {
    place = reader.place
    registry = reader.registry
    hooks = reader.hooks
    self.reader = reader
    refreshes = refreshing || place.coordinator.ledger.others.haveWritten
  }

  /// The registered object of a row, or a new one; retained. Nil for an entity that is not in the
  /// model.
  @inline(__always)
  mutating func object(for row: RowPointer) -> Unmanaged<ManagedObject>? {
    if row.entityNumber != entityNumber, !select(row.entityNumber) { return nil }
    if let object = registry.object(row.key, root: root) {
      if object.entityNumber == row.entityNumber {
        if refreshes || !object.isShown { reader.takeOver(row, for: object) }
        return .passRetained(object)
      }
      guard object.isClean else { return nil }
      reader.keys.forgetMisfit(object)
    }
    _ = Unmanaged.passRetained(row.block)
    let object = type.init(
      _seed: _ObjectSeed(
        owner: registry.owner, row: row, key: row.key, entityNumber: entityNumber,
        state: .shown))
    registry.insert(object, key: row.key, root: root)
    hooks.noteFilled(object)
    return .passRetained(object)
  }

  private mutating func select(_ number: Int32) -> Bool {
    guard let layout = place.coordinator.managedObjectModel.layout(number: number) else {
      return false
    }
    entityNumber = number
    root = layout.rootNumber
    type = place.classes.type(layout)
    return true
  }
}
