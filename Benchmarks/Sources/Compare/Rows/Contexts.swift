import Cauldron
import Foundation
import GRDB

extension Contest {
  static func contexts(_ settings: Settings) -> [Contest] {
    [
      create(), makeAndDrop(settings.size(10_000)), open(settings.size(1_000_000)),
      walk(settings.size(10_000)),
    ]
  }

  private static func create() -> Contest {
    Contest("create and discard a child context, 1,000 times", operations: 1_000) { _ in
      let store = try FilledStore(100)
      return [
        Lane(.ours) { measure { for _ in 0..<1_000 { _ = store.stack.child() } } }
      ]
    }
  }

  /// The cost of a context without work: all of them are there at once, and then go.
  private static func makeAndDrop(_ count: Int) -> Contest {
    Contest("make and drop \(grouped(count)) contexts", operations: count) { _ in
      let store = try FilledStore(100)
      return [
        Lane(.ours) {
          measure {
            var contexts: [ManagedObjectContext] = []
            contexts.reserveCapacity(count)
            for _ in 0..<count { contexts.append(store.stack.child()) }
          }
        }
      ]
    }
  }

  private static func open(_ count: Int) -> Contest {
    Contest("open a store of \(grouped(count)) rows, fetch one object") { _ in
      let url = try Scratch.file()
      try OurStack.fill(url, count)
      return [
        Lane(.ours) {
          var stack: Stack?
          let sample = try measure {
            stack = try OurStack.open(url)
            let first = try stack?.child().performAndWait { try Item.findFirst(in: $0)?.age }
            consume(first ?? 0)
          }
          try stack?.close()
          return sample
        },
        Lane(.raw) {
          var database: RawDatabase?
          return try measure {
            database = try RawDatabase(url)
            let statement = try database?.prepare(RawItems.selection + " LIMIT 1")
            if let statement { consume(RawItems.fetch(statement).count) }
          }
        },
        Lane(.grdb) {
          try measure {
            let queue = try Records.open(url)
            consume(try queue.read { try HandRecord.fetchOne($0)?.values.age ?? 0 })
          }
        },
      ]
    }
  }

  private static func walk(_ count: Int) -> Contest {
    Contest(
      "walk a to-many of \(grouped(count))", targets: [Target(.ratio(.raw), 1.5)],
      note: "one attribute of each read"
    ) { _ in
      let store = try FilledStore(1)
      let box = try store.makeBox(count)
      let key = RawItems.fetchIntegers(try store.raw().prepare("SELECT Z_PK FROM ZBOX")).first ?? 0
      let parts = try store.raw().prepare("SELECT Z_PK, ZNUMBER FROM ZPART WHERE ZBOX = ?")
      let queue = try store.records()
      return [
        store.lane(.ours) {
          try store.stack.child().performAndWait { local in
            let box = try local.existingObject(with: box) as? Box
            return box?.parts.reduce(0) { $0 &+ $1.number } ?? 0
          }
        },
        store.lane(.raw) { RawItems.sum(parts, where: key) },
        store.lane(.grdb) { try PartRecord.sum(ofBox: key, queue) },
      ]
    }
  }
}

extension FilledStore {
  /// Saves a box with parts.
  fileprivate func makeBox(_ count: Int) throws -> ManagedObjectID {
    let context = stack.child()
    let box = Box.create(in: context)
    box.label = "box"
    for number in 0..<count {
      let part = Part.create(in: context)
      part.number = number
      part.box = box
    }
    try context.saveAndWait(toPersistentStore: true)
    return box.objectID
  }
}
