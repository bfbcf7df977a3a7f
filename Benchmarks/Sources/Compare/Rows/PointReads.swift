import Cauldron
import Foundation

extension Contest {
  static func pointReads(_ settings: Settings) -> [Contest] {
    [uncached(settings), cached(settings)]
  }

  /// Reads rows that nobody has read before; each lane has its own thousand in each run.
  private static func uncached(_ settings: Settings) -> Contest {
    Contest(
      "fault 1,000 objects by ID, not cached", operations: 1_000,
      targets: [Target(.ratio(.raw), 1.3)], note: "every attribute read"
    ) { settings in
      let store = try FilledStore((settings.runs + 1) * 1_000)
      let ours = Slices(try store.allIDs())
      let keys = try store.allKeys()
      let (raw, grdb, cached) = (Slices(keys), Slices(keys), Slices(keys))
      let statement = try store.raw().prepare(RawItems.pointSelection)
      let queue = try store.records()
      let main = store.stack.defaultContext
      _ = try main.performAndWait { try Item.count(in: $0) }
      return [
        store.prepared(.ours) {
          let chunk = ours.next()
          let context = store.stack.child()
          return { try digest(chunk, context) }
        },
        store.prepared(.raw) {
          let chunk = raw.next()
          return {
            chunk.reduce(0) { $0 &+ (RawItems.read($1, statement)?.digest ?? 0) }
          }
        },
        store.prepared(.grdb) {
          let keys = Array(grdb.next())
          return { try Records.digest(keys, queue) }
        },
        store.prepared(.cached) {
          let keys = Array(cached.next())
          return { try Records.digestCached(keys, queue) }
        },
      ]
    }
  }

  private static func cached(_ settings: Settings) -> Contest {
    Contest(
      "fault 10,000 objects by ID, rows cached", operations: 10_000,
      targets: [Target(.operation, 100)], note: "one attribute read"
    ) { _ in
      let store = try FilledStore(10_000)
      let ids = try store.allIDs()
      // Another context has read all of them.
      let first = store.stack.child()
      consume(try digest(ids[...], first))
      return [
        store.prepared(.ours) {
          let context = store.stack.child()
          return {
            try context.performAndWait { local in
              try ids.reduce(0) { $0 &+ ((try local.existingObject(with: $1) as? Item)?.age ?? 0) }
            }
          }
        }
      ]
    }
  }

  private static func digest(
    _ ids: ArraySlice<ManagedObjectID>, _ context: ManagedObjectContext
  ) throws -> Int {
    try context.performAndWait { local in
      try ids.reduce(0) { sum, id in
        let item = try local.existingObject(with: id) as? Item
        return sum &+ (item?.digest ?? 0)
      }
    }
  }
}

/// Gives one thousand after the other.
private final class Slices<Element> {
  private let elements: [Element]
  private var used = 0

  init(_ elements: [Element]) { self.elements = elements }

  func next() -> ArraySlice<Element> {
    defer { used += 1_000 }
    return elements[used..<used + 1_000]
  }
}

extension FilledStore {
  /// The IDs of all items in mixed order, found without bringing a row into the cache.
  func allIDs() throws -> [ManagedObjectID] {
    let ids = try stack.child().performAndWait { local in
      try Item.findAll(in: local).map(\.objectID)
    }
    return mixed(ids)
  }

  /// The keys of all items in mixed order.
  func allKeys() throws -> [Int64] {
    mixed(RawItems.fetchIntegers(try raw().prepare("SELECT Z_PK FROM ZITEM")))
  }

  /// The same elements in an order that jumps about, the same every time.
  private func mixed<Element>(_ elements: [Element]) -> [Element] {
    let count = elements.count
    return elements.indices
      .sorted { ($0 * 7_919) % count < ($1 * 7_919) % count }
      .map { elements[$0] }
  }

  /// A lane that prepares something for each run before the clock starts.
  func prepared(
    _ key: Contender, _ prepare: @escaping () throws -> () throws -> Int
  ) -> Lane<Contender> {
    Lane(key) {
      let work = try prepare()
      return try withExtendedLifetime(self) { try measure { consume(try work()) } }
    }
  }
}
