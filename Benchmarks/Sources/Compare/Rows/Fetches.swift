import Cauldron

extension Contest {
  static func fetches(_ settings: Settings) -> [Contest] {
    let small = settings.size(100_000)
    let large = settings.size(740_300)
    return [
      fetchAll(settings.size(1_000), []), fetchAll(settings.size(10_000), []),
      fetchAll(small, [Target(.ratio(.raw), 0.9), Target(.advantage(.codable), 3)]),
      fetchAll(large, [Target(.ratio(.raw), 0.9), Target(.advantage(.codable), 3)]),
      fetchTwo(small), fetchTwo(large), fetchIDs(small), fetchGrowth(settings),
    ]
  }

  private static func fetchAll(_ count: Int, _ targets: [Target]) -> Contest {
    Contest(
      "fetch \(grouped(count)) and read every attribute", base: "C API, streaming, nothing kept",
      targets: targets
    ) { _ in
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawItems.selection)
      let queue = try store.records()
      return [
        store.ours(\.digest),
        store.lane(.raw) {
          RawItems.fetch(statement).reduce(0) { $0 &+ $1.digest }
        },
        store.lane(.base) { RawItems.digest(statement) },
        store.lane(.grdb) { try Records.digestAll(queue) },
        store.lane(.codable) { try Records.digestAllCodable(queue) },
      ]
    }
  }

  private static func fetchTwo(_ count: Int) -> Contest {
    Contest(
      "fetch \(grouped(count)) and read two attributes", base: "C API, these two columns only",
      targets: [Target(.ratio(.raw), 0.75)],
      note: "raw decodes whole structs, as ours gives whole objects"
    ) { _ in
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawItems.selection)
      let pairs = try store.raw().prepare("SELECT Z_PK, ZNAME, ZAGE FROM ZITEM")
      let queue = try store.records()
      return [
        store.ours { $0.name.utf8.count &+ $0.age },
        store.lane(.raw) {
          RawItems.fetch(statement).reduce(0) { $0 &+ $1.name.utf8.count &+ $1.age }
        },
        store.lane(.base) {
          RawItems.fetchPairs(pairs).reduce(0) { $0 &+ $1.1.utf8.count &+ $1.2 }
        },
        store.lane(.grdb) { try Records.digestTwo(queue) },
      ]
    }
  }

  private static func fetchIDs(_ count: Int) -> Contest {
    Contest("fetch \(grouped(count)), IDs only") { _ in
      let store = try FilledStore(count)
      let statement = try store.raw().prepare("SELECT Z_PK FROM ZITEM")
      let queue = try store.records()
      return [
        store.lane(.ours) {
          try store.stack.child().performAndWait { local in
            try local.fetchObjectIDs(FetchRequest<Item>()).count
          }
        },
        store.lane(.raw) {
          RawItems.fetchIntegers(statement).count
        },
        store.lane(.grdb) { try Records.keys(queue).count },
      ]
    }
  }

  private static func fetchGrowth(_ settings: Settings) -> Contest {
    let large = settings.size(1_000_000)
    return Contest(
      "fetch \(grouped(large)) and read every attribute, cost per row against 1,000",
      base: "1,000 rows, as often as needed", targets: [Target(.ratio(.base), 1.2)]
    ) { _ in
      let small = try FilledStore(1_000)
      let store = try FilledStore(large)
      let fetch = small.ours(\.digest)
      let repeated = Lane(Contender.base) {
        try measure { for _ in 0..<large / 1_000 { _ = try fetch.run() } }
      }
      let statement = try store.raw().prepare(RawItems.selection)
      return [
        store.ours(\.digest), repeated,
        store.lane(.raw) {
          RawItems.fetch(statement).reduce(0) { $0 &+ $1.digest }
        },
      ]
    }
  }
}
