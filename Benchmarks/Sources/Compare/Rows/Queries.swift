import Cauldron
import Foundation

/// Ten common questions about 100,000 rows, against the same SQL by the C API.
extension Contest {
  static func queries(_ settings: Settings) -> [Contest] {
    let count = settings.size(100_000)
    let rows = grouped(count)
    return [
      many("query \(rows) by key, 1,000 times", count, RawQueries.byKey) { number, _ in
        Item.where(.isIn([number.id]))
      },
      many("query \(rows) by indexed attribute, 1,000 times", count, RawQueries.byScore) {
        number, _ in Item.where(\.score == number.key - 1)
      },
      range(count), prefix(count), first(count), counted(count), join(count), quantifier(count),
      groups(count), columns(count),
    ]
  }

  private static func contest(
    _ name: String, operations: Int = 1, note: String? = nil,
    lanes: @escaping () throws -> [Lane<Contender>]
  ) -> Contest {
    Contest(
      name, operations: operations, targets: [Target(.ratio(.raw), 1.3)], note: note
    ) { _ in try lanes() }
  }

  /// One object each time, every attribute read; other objects in each run.
  private static func many(
    _ name: String, _ count: Int, _ sql: String,
    _ query: @escaping ((id: ManagedObjectID, key: Int), FilledStore) -> ObjectQuery<Item>
  ) -> Contest {
    contest(name, operations: 1_000, note: "every attribute read") {
      let store = try FilledStore(count, isScoreUnique: true)
      let ids = try store.allIDs()
      let keys = try store.allKeys().map(Int.init)
      let statement = try store.raw().prepare(sql)
      let step = min(1_000, count)
      var (ours, raw) = (0, 0)
      return [
        store.prepared(.ours) {
          let context = store.stack.child()
          let chosen = (0..<step).map {
            (id: ids[(ours + $0) % count], key: keys[(ours + $0) % count])
          }
          ours += step
          return {
            try context.performAndWait { local in
              try chosen.reduce(0) { sum, number in
                sum &+ (try query(number, store).first(in: local)?.digest ?? 0)
              }
            }
          }
        },
        store.prepared(.raw) {
          let chosen = (0..<step).map { keys[(raw + $0) % count] }
          raw += step
          let isKey = sql == RawQueries.byKey
          return {
            chosen.reduce(0) { $0 &+ RawQueries.items(statement.bind(isKey ? $1 : $1 - 1)) }
          }
        },
      ]
    }
  }

  private static func range(_ count: Int) -> Contest {
    contest("query \(grouped(count)) by a range, 1,000 found", note: "every attribute read") {
      let store = try FilledStore(count, isScoreUnique: true)
      let statement = try store.raw().prepare(RawQueries.byRange)
      let (low, high) = (count / 2, count / 2 + min(1_000, count / 4))
      return [
        store.asking { local in
          try Item.findAll(where: \.score >= low && \.score < high, in: local)
            .reduce(0) { $0 &+ $1.digest }
        },
        store.lane(.raw) { RawQueries.items(statement.bind(low, high)) },
      ]
    }
  }

  private static func prefix(_ count: Int) -> Contest {
    contest("query \(grouped(count)) by a prefix without index", note: "every attribute read") {
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawQueries.byPrefix)
      return [
        store.asking { local in
          try Item.findAll(where: .beginsWith(\.name, "ab"), in: local).reduce(0) {
            $0 &+ $1.digest
          }
        },
        store.lane(.raw) { RawQueries.items(statement) },
      ]
    }
  }

  private static func first(_ count: Int) -> Contest {
    contest("query the first 20 of \(grouped(count)) by name", note: "every attribute read") {
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawQueries.firstByName)
      return [
        store.asking { local in
          try Item.findAll(where: \.age < 45, sortedBy: \.name, limit: 20, in: local)
            .reduce(0) { $0 &+ $1.digest }
        },
        store.lane(.raw) { RawQueries.items(statement) },
      ]
    }
  }

  private static func counted(_ count: Int) -> Contest {
    contest("count some of \(grouped(count))") {
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawQueries.count)
      return [
        store.asking { try Item.count(where: \.age < 45 && \.flag == true, in: $0) },
        store.lane(.raw) { Int(RawItems.fetchIntegers(statement).first ?? 0) },
      ]
    }
  }

  private static func groups(_ count: Int) -> Contest {
    contest("average of \(grouped(count)) by group, 90 groups") {
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawQueries.groups)
      return [
        store.asking { local in
          try Item.grouped(by: \.age).average(\.count, in: local)
            .reduce(0) { $0 &+ $1.key &+ Int($1.value ?? 0) }
        },
        store.lane(.raw) { RawQueries.averages(statement) },
      ]
    }
  }

  private static func columns(_ count: Int) -> Contest {
    contest("select two columns of \(grouped(count))", note: "as tuples") {
      let store = try FilledStore(count)
      let statement = try store.raw().prepare(RawQueries.columns)
      return [
        store.asking { local in
          try Item.select(\.name, \.age).fetch(in: local)
            .reduce(0) { $0 &+ $1.0.utf8.count &+ $1.1 }
        },
        store.lane(.raw) { RawQueries.pairs(statement) },
      ]
    }
  }
}
