import Cauldron
import Foundation
import GRDB

extension Contest {
  static func changes(_ settings: Settings) -> [Contest] {
    let count = settings.size(10_000)
    return [update(count), delete(count), batchUpdate(settings.size(100_000))]
  }

  private static func batchUpdate(_ count: Int) -> Contest {
    Contest(
      "update \(grouped(count)) at once", targets: [Target(.ratio(.raw), 1.3)],
      note: "one statement, nothing registered"
    ) { _ in
      let stores = try ThreeStores(count)
      let context = stores.stack.child()
      let sql = "UPDATE ZITEM SET ZFLAG = 1, ZAGE = ZAGE + 1, Z_OPT = Z_OPT + 1 WHERE ZSCORE >= 0"
      return [
        Lane(.ours) {
          try context.performAndWait { local in
            try measure {
              try Item.where(\.score >= 0).batchUpdate(in: local) {
                $0.flag.set(true)
                $0.age.set($0.age + 1)
              }
            }
          }
        },
        Lane(.raw) { try measure { try stores.raw.execute(sql) } },
        Lane(.grdb) { try measure { try Records.execute(sql, stores.queue) } },
      ]
    }
  }

  private static func update(_ count: Int) -> Contest {
    Contest(
      "update one attribute of \(grouped(count)) and save", targets: [Target(.ratio(.raw), 1.5)],
      note: "objects fetched before"
    ) { _ in
      let stores = try ThreeStores(count)
      let statement = try stores.raw.prepare(RawItems.update)
      let keys = 1..<Int64(count + 1)
      let records = try Records.records(keys, stores.queue)
      var age = 0
      return [
        Lane(.ours) {
          age += 1
          return try stores.change { items in for item in items { item.age = age } }
        },
        Lane(.raw) {
          age += 1
          return try measure { try RawItems.setAge(age, keys, statement) }
        },
        Lane(.grdb) {
          age += 1
          return try measure { try Records.setAge(age, records, stores.queue) }
        },
      ]
    }
  }

  private static func delete(_ count: Int) -> Contest {
    Contest(
      "delete \(grouped(count)) and save", targets: [Target(.ratio(.raw), 1.5)],
      note: "objects fetched before"
    ) { _ in
      let stores = try ThreeStores(count)
      let items = stores.items
      let deletion = try stores.raw.prepare(RawItems.deletion)
      let insertion = try stores.raw.prepare(RawItems.insertion)
      let keys = 1..<Int64(count + 1)
      let records = items.map(HandRecord.init)
      return [
        Lane(.ours) {
          let sample = try stores.change { items in for item in items { item.delete() } }
          try stores.refill()
          return sample
        },
        Lane(.raw) {
          let sample = try measure { try RawItems.delete(keys, deletion) }
          try RawItems.insert(items, insertion)
          return sample
        },
        Lane(.grdb) {
          let sample = try measure { try Records.delete(records, stores.queue) }
          try Records.insert(items, stores.queue)
          return sample
        },
      ]
    }
  }
}

/// The same items in three files, for contenders that change them.
final class ThreeStores {
  let items: [ItemValues]
  let stack: Stack
  let raw: RawDatabase
  let queue: DatabaseQueue
  private let urls: [URL]

  init(_ count: Int) throws {
    items = ItemValues.make(count)
    urls = [try Scratch.file(), try Scratch.file(), try Scratch.file()]
    try OurStack.fill(urls[0], count)
    stack = try OurStack.open(urls[0])
    raw = try RawDatabase(urls[1])
    try raw.execute(RawItems.schema)
    try RawItems.insert(items, try raw.prepare(RawItems.insertion))
    queue = try Records.open(urls[2])
    try Records.execute(RawItems.schema, queue)
    try Records.insert(items, queue)
  }

  deinit {
    try? stack.close()
    for url in urls { Scratch.remove(url) }
  }

  /// Changes every item in a context of its own, and saves to the store.
  func change(_ work: @escaping ([Item]) -> Void) throws -> Sample {
    let context = stack.child()
    return try context.performAndWait { local in
      let items = try Item.findAll(in: local)
      return try measure {
        work(items)
        try context.saveAndWait(toPersistentStore: true)
      }
    }
  }

  /// Puts the items back that were deleted.
  func refill() throws {
    let context = stack.child()
    Item.create(items, in: context)
    try context.saveAndWait(toPersistentStore: true)
  }
}
