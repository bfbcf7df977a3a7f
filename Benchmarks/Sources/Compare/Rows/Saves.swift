import Cauldron
import Dispatch
import Foundation

extension Contest {
  private static let saveCount = 200

  static func saves(_ settings: Settings) -> [Contest] {
    [oneObject(), steady(settings.size(5_000)), oneObjectLater()]
  }

  private static func oneObject() -> Contest {
    Contest(
      "save of one object to disk, \(saveCount) times", operations: saveCount,
      targets: [Target(.ratio(.raw), 1.3)], note: "waits on idle queues"
    ) { _ in
      let stores = try ThreeStores(1_000)
      let context = stores.stack.child()
      return [
        Lane(.ours) {
          try measure {
            for item in stores.items.prefix(saveCount) {
              Item.create(in: context).set(item)
              try context.saveAndWait(toPersistentStore: true)
            }
          }
        }
      ] + (try stores.singleInsertions(saveCount))
    }
  }

  /// Long enough that both sides copy their log into the file several times.
  private static func steady(_ count: Int) -> Contest {
    let name = "save of one object to disk in steady state, \(grouped(count)) times"
    return Contest(name) { settings in
      let stores = try ThreeStores(1_000)
      let context = stores.stack.child()
      let ours = Lane(Contender.ours) {
        try measure {
          for number in 0..<count {
            Item.create(in: context).set(stores.items[number % stores.items.count])
            try context.saveAndWait(toPersistentStore: true)
          }
        }
      }
      let stats = try alternate(
        settings.chosen([ours] + (try stores.singleInsertions(count))),
        Settings(runs: min(settings.runs, 3), isQuick: settings.isQuick))
      return [
        Outcome(
          name: name, operations: count, stats: stats, targets: [Target(.ratio(.raw), 1.3)],
          note: "checkpoints included")
      ]
    }
  }

  private static func oneObjectLater() -> Contest {
    Contest(
      "save of one object to disk, asynchronous, \(saveCount) times", onMain: false,
      operations: saveCount, targets: [Target(.overhead(.raw), 40_000)],
      note: "until the completion runs on the main queue"
    ) { _ in
      let stores = try ThreeStores(1_000)
      let context = stores.stack.child()
      let ended = DispatchSemaphore(value: 0)
      return [
        Lane(.ours) {
          measure {
            for item in stores.items.prefix(saveCount) {
              Item.create(in: context).set(item)
              context.save(toPersistentStore: true) { _, _ in ended.signal() }
              ended.wait()
            }
          }
        }
      ] + (try stores.singleInsertions(saveCount))
    }
  }
}

extension ThreeStores {
  /// The rivals insert rows one by one, each in a transaction of its own.
  func singleInsertions(_ count: Int) throws -> [Lane<Contender>] {
    let insertion = try raw.prepare(RawItems.insertion)
    var rawKey = Int64(items.count)
    var recordKey = rawKey
    let chosen = (0..<count).map { items[$0 % items.count] }
    func renamed(_ item: ItemValues, _ key: inout Int64) -> ItemValues {
      var item = item
      key += 1
      item.key = key
      return item
    }
    return [
      Lane(.raw) {
        try measure {
          for item in chosen { try RawItems.insert([renamed(item, &rawKey)], insertion) }
        }
      },
      Lane(.grdb) {
        try measure {
          for item in chosen { try Records.insert([renamed(item, &recordKey)], self.queue) }
        }
      },
    ]
  }
}
