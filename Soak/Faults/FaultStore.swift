import CauldronModel
import CauldronQuery
import CauldronStore
import Foundation

/// A store whose methods throw when they are told to.
final class FaultStore: PersistentStore {
  private let base: any PersistentStore
  private let faults: StoreFaults

  init(_ base: any PersistentStore, _ faults: StoreFaults) {
    self.base = base
    self.faults = faults
  }

  var identifier: String { base.identifier }
  var url: URL? { base.url }

  func reader() throws -> any StoreReader {
    try faults.around(.reader) { FaultReader(try base.reader(), faults) }
  }

  func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    try faults.around(.reserveKeys) { try base.reserveKeys(count, for: root) }
  }

  func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    try faults.around(.reserveKeysAtOnce) { try base.reserveKeysAtOnce(count, for: root) }
  }

  func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    try faults.around(.returnKeys) { try base.returnKeys(range, for: root) }
  }

  func save(
    _ plan: SavePlan, willCommit: ([Int]) -> Void, didCommit: (SaveReceipt?) -> Void
  ) throws -> SaveReceipt {
    guard let moment = faults.next(.save) else {
      return try base.save(plan, willCommit: willCommit, didCommit: didCommit)
    }
    switch moment {
    case .before, .after, .busy: break
    case .begun, .unwritten:
      willCommit(Array(plan.layers.indices))
      didCommit(nil)
    case .written: _ = try base.save(plan, willCommit: willCommit) { _ in didCommit(nil) }
    }
    throw StoreFaults.error(moment)
  }

  func close() throws { try faults.around(.close) { try base.close() } }
}

/// A reader of such a store.
private final class FaultReader: StoreReader {
  private let base: any StoreReader
  private let faults: StoreFaults

  init(_ base: any StoreReader, _ faults: StoreFaults) {
    self.base = base
    self.faults = faults
  }

  func pin() throws { try faults.around(.pin) { try base.pin() } }

  func fetch(_ query: StoreQuery) throws -> RowSet {
    try faults.around(.fetch) { try base.fetch(query) }
  }

  func ids(_ query: StoreQuery, storeNumber: Int32) throws -> [ManagedObjectID] {
    try faults.around(.ids) { try base.ids(query, storeNumber: storeNumber) }
  }

  func rows(_ keys: [Int64], of entity: EntityLayout) throws -> RowSet {
    try faults.around(.rows) { try base.rows(keys, of: entity) }
  }

  func row(_ key: Int64, of entity: EntityLayout) throws -> HeldRow? {
    try faults.around(.row) { try base.row(key, of: entity) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try faults.around(.count) { try base.count(query) }
  }

  func finish() { base.finish() }
}
