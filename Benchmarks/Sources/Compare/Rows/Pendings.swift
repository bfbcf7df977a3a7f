import Cauldron
import Foundation

extension Contest {
  static func pendings(_ settings: Settings) -> [Contest] {
    let count = settings.size(100_000)
    let pending = "\(grouped(count)) pending in the parent"
    let perRow = Target(.overhead(.base), 5 * Double(count))
    return [
      save(count, pending),
      fetch("fetch of 20 by ID, \(pending)", count, Target(.ratio(.base), 2)) { ids in
        .isIn(ids)
      },
      fetch("fetch of 20 by indexed attribute, \(pending)", count, Target(.ratio(.base), 2)) {
        _ in .isIn(\.score, (0..<20).map { $0 * 37 })
      },
      fetch("fetch of 20 by other attribute, \(pending)", count, perRow) { _ in \.age == 17 },
      // Here no pending row may be left out.
      fetch("fetch of the first 20 by name of an age, \(pending)", count, perRow, isSorted: true) {
        _ in \.age == 17
      },
      groups(count), merge(settings.size(10_000)), mergeOntoPending(settings.size(10_000)),
    ]
  }

  private static func save(_ count: Int, _ pending: String) -> Contest {
    Contest(
      "child save of one object, \(pending)", operations: 100, base: "nothing pending"
    ) { _ in
      let store = try FilledStore(1_000)
      let full = try store.parent(pending: count)
      let empty = try store.parent(pending: 0)
      return [
        store.savings(.ours, ManagedObjectContext(.private, parent: full)),
        store.savings(.base, ManagedObjectContext(.private, parent: empty)),
      ]
    }
  }

  private static func fetch(
    _ name: String, _ count: Int, _ target: Target, isSorted: Bool = false,
    _ condition: @escaping ([ManagedObjectID]) -> Where<Item>
  ) -> Contest {
    Contest(name, operations: 1, base: "nothing pending", targets: [target]) { _ in
      let store = try FilledStore(count, isScoreUnique: true)
      let ids = Array(try store.allIDs().prefix(20))
      let full = try store.parent(pending: count)
      let empty = try store.parent(pending: 0)
      let selected = condition(ids)
      return [
        store.fetches(.ours, ManagedObjectContext(.private, parent: full), selected, isSorted),
        store.fetches(.base, ManagedObjectContext(.private, parent: empty), selected, isSorted),
      ]
    }
  }

  private static func groups(_ count: Int) -> Contest {
    Contest(
      "count by group, \(grouped(count)) pending in the parent",
      base: "as many stored, none pending",
      targets: [Target(.ratio(.base), 5)]
    ) { _ in
      let pending = try FilledStore(0)
      let full = try pending.parent(pending: count)
      let store = try FilledStore(count)
      return [
        pending.counting(.ours, ManagedObjectContext(.private, parent: full)),
        store.counting(.base, store.stack.child()),
      ]
    }
  }

  private static func merge(_ count: Int) -> Contest {
    Contest(
      "\(grouped(count)) merges of a one-object save, sibling with \(grouped(count)) objects",
      operations: count, targets: [Target(.operation, 20_000)],
      note: "the parent saves to the store after every hundred"
    ) { _ in
      let store = try FilledStore(count)
      return [Lane(.ours) { try Merges(store).run(count, interval: 100) }]
    }
  }

  /// What it costs where the saves stay pending in the parent, one upon the other.
  private static func mergeOntoPending(_ count: Int) -> Contest {
    let merges = count / 5
    return Contest(
      "\(grouped(merges)) such merges, the parent never saves", operations: merges
    ) { _ in
      let store = try FilledStore(count)
      return [Lane(.ours) { try Merges(store).run(merges, interval: .max) }]
    }
  }
}

extension FilledStore {
  /// A context that children have saved new items into, which it has not saved itself.
  func parent(pending count: Int) throws -> ManagedObjectContext {
    let parent = ManagedObjectContext(.private, parent: stack.defaultContext)
    guard count > 0 else { return parent }
    let child = ManagedObjectContext(.private, parent: parent)
    Item.create(ItemValues.make(count, from: 10_000_000), in: child)
    try child.save()
    return parent
  }

  /// A hundred saves of one new item into the parent.
  func savings(_ key: Contender, _ child: ManagedObjectContext) -> Lane<Contender> {
    var number = key == .ours ? 20_000_000 : 30_000_000
    return Lane(key) {
      let items = ItemValues.make(100, from: number)
      number += 100
      return try withExtendedLifetime(self) {
        try measure {
          for item in items {
            Item.create(in: child).set(item)
            try child.save()
          }
        }
      }
    }
  }

  /// One fetch of 20 items, the mean of twenty.
  func fetches(
    _ key: Contender, _ child: ManagedObjectContext, _ condition: Where<Item>, _ isSorted: Bool
  ) -> Lane<Contender> {
    Lane(key) {
      let query = Item.where(condition).limit(20)
      let asked = isSorted ? query.sorted(by: \.name) : query
      return try withExtendedLifetime(self) {
        try measure {
          for _ in 0..<20 {
            consume(
              try child.performAndWait { local in
                try asked.fetch(in: local).count
              })
          }
        }.divided(by: 20)
      }
    }
  }

  /// How many items there are of each age.
  fileprivate func counting(
    _ key: Contender, _ context: ManagedObjectContext
  ) -> Lane<Contender> {
    lane(key) {
      try context.performAndWait { local in
        try Item.grouped(by: \.age).count(in: local).reduce(0) { $0 &+ $1.value }
      }
    }
  }
}
