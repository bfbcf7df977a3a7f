import CCauldron
import CauldronModel

extension ContextCore {
  /// The objects for fetched rows: registered ones as they are, new ones with the row.
  ///
  /// All are of classes that `Object` is a superclass of; the caller has seen to that.
  /// - Parameter refreshing: Whether registered objects without edits show the rows, too.
  func objects<Object: ManagedObject>(_ rows: RowSet, refreshing: Bool = false) -> [Object] {
    // Called when all of them are there.
    defer { runWaitingHooks() }
    return registered(rows, refreshing: refreshing)
  }

  /// The same in the middle of something else, where no hook may run: they wait.
  func registered<Object: ManagedObject>(_ rows: RowSet, refreshing: Bool = false) -> [Object] {
    // The empty array is one for the whole process, and its count would be written here.
    if rows.isEmpty { return [] }
    return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
      guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      count = register(rows, at: start, refreshing)
    }
  }

  /// The same, without regard to the class, so that a single row costs no generic code.
  private func register(
    _ rows: RowSet, at memory: UnsafeMutableRawPointer, _ refreshing: Bool
  ) -> Int {
    rows.withRows { register($0, at: memory, refreshing) }
  }

  /// Writes the objects for rows, each retained, to memory.
  /// - Returns: Their number.
  private func register(
    _ rows: UnsafeBufferPointer<RowPointer>, at memory: UnsafeMutableRawPointer,
    _ refreshing: Bool
  ) -> Int {
    let objects = memory.assumingMemoryBound(to: Unmanaged<ManagedObject>.self)
    var maker = ObjectMaker(self, refreshing)
    var count = 0
    let ahead = 16
    for index in rows.indices {
      // The rows were packed a while ago, and lie at irregular distances.
      if index + ahead < rows.count { cauldron_prefetch(rows[index + ahead].words) }
      let row = rows[index]
      guard let object = maker.object(for: row) else { continue }
      objects[count] = object
      count += 1
    }
    return count
  }
}

/// Makes the objects of many rows.
private struct ObjectMaker {
  private let core: ContextCore
  private var entityNumber: Int32 = 0
  private var root: Int32 = 0
  private var type: ManagedObject.Type = ManagedObject.self
  /// Whether a row may be newer than what its object shows, and shall be shown then.
  private let refreshes: Bool

  init(_ core: ContextCore, _ refreshing: Bool) {
    self.core = core
    refreshes = refreshing || core.coordinator.ledger.others.haveWritten
  }

  /// The registered object of a row, or a new one; retained. Nil for an entity that is not in the
  /// model.
  @inline(__always)
  mutating func object(for row: RowPointer) -> Unmanaged<ManagedObject>? {
    if row.entityNumber != entityNumber, !select(row.entityNumber) { return nil }
    if let object = core.identity.object(row.key, root: root) {
      if object.entityNumber == row.entityNumber {
        if refreshes || !object.isShown { core.takeOver(row, object) }
        return .passRetained(object)
      }
      guard object.isClean else { return nil }
      core.forgetMisfit(object)
    }
    _ = Unmanaged.passRetained(row.block)
    let object = type.init(
      _seed: _ObjectSeed(
        core: .passUnretained(core), row: row, key: row.key, entityNumber: entityNumber,
        state: .shown))
    core.identity.insert(object, row.key, root: root)
    core.noteFilled(object)
    return .passRetained(object)
  }

  private mutating func select(_ number: Int32) -> Bool {
    guard let layout = core.coordinator.managedObjectModel.layout(number: number) else {
      return false
    }
    entityNumber = number
    root = layout.rootNumber
    type = core.classes.type(layout)
    return true
  }
}
