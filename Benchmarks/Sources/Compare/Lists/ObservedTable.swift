import Dispatch
import Foundation
import GRDB

/// Every item by name, observed by GRDB on the main queue.
final class ObservedTable {
  private let pool: DatabasePool
  private let told = DispatchSemaphore(value: 0)
  private let observation: AnyDatabaseCancellable

  init(_ url: URL) throws {
    pool = try DatabasePool(path: url.path)
    let told = told
    observation =
      ValueObservation
      .tracking { try HandRecord.order(Column("ZNAME")).fetchAll($0) }
      .start(in: pool, scheduling: .async(onQueue: .main)) { _ in
        told.signal()
      } onChange: { items in
        consume(items.count)
        told.signal()
      }
    told.wait()
  }

  /// Inserts an item, and waits until the observer has been told.
  func insert(_ values: ItemValues) throws -> Sample {
    DispatchQueue.main.sync {}
    let times = ThreadTimes()
    let began = now()
    try pool.write { try HandRecord(values).insert($0) }
    told.wait()
    let wall = now() - began
    DispatchQueue.main.sync {}
    let passed = times.passed
    return Sample(wall: wall, cpu: passed.others, main: passed.main)
  }
}
