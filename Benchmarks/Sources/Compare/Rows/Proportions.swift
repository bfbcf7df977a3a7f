import Cauldron
import Foundation

/// Small things done very often: each costs the same, however often it was done before.
extension Contest {
  static func proportions(_ settings: Settings) -> [Contest] {
    [events(settings.size(100_000)), letters(settings.size(10_000)), saves(settings.size(10_000))]
  }

  private static func events(_ count: Int) -> Contest {
    Contest(
      "\(grouped(count)) events on one object", operations: count,
      targets: [Target(.operation, 20_000)], note: "each changes an attribute; nothing is saved"
    ) { _ in
      let store = try FilledStore(100)
      return [
        Lane(.ours) {
          try store.editing { context, item in
            for _ in 0..<count { context.performAndWait { _ in item.age &+= 1 } }
          }
        }
      ]
    }
  }

  private static func letters(_ count: Int) -> Contest {
    Contest(
      "typing \(grouped(count)) letters", operations: count,
      targets: [Target(.operation, 40_000)], note: "an event for each; nothing is saved"
    ) { _ in
      let store = try FilledStore(100)
      return [
        Lane(.ours) {
          try store.editing { context, item in
            for _ in 0..<count { context.performAndWait { _ in item.title += "x" } }
          }
        }
      ]
    }
  }

  /// The time of many saves, and what they leave in memory.
  private static func saves(_ count: Int) -> Contest {
    let name = "\(grouped(count)) one-row saves, each of a context of its own"
    return Contest(name) { settings in
      let url = try Scratch.file()
      try OurStack.fill(url, count)
      let figure = try ChildProcess.run(
        ["memory", MemoryKind.saved.rawValue, Contender.ours.rawValue, url.path, "\(count)"],
        as: MemoryFigure.self)
      let stores = try ThreeStores(count)
      let update = try stores.raw.prepare(RawItems.update)
      var age = 100
      let stats = try alternate(
        [
          Lane(Contender.ours) {
            age += 1
            return try measure { try OneRowSaves.run(stores.stack, count, age) }
          },
          Lane(Contender.raw) {
            age += 1
            return try measure {
              for key in 1...Int64(count) { try RawItems.setAge(age, key..<key + 1, update) }
            }
          },
        ], Settings(runs: min(settings.runs, 3), isQuick: settings.isQuick))
      return [
        Outcome(
          name: name, operations: count, stats: stats, targets: [Target(.bytes, 1_000)],
          note: "bytes resident afterwards, for each row", bytes: figure.bytes,
          peakRSS: figure.peak)
      ]
    }
  }
}

/// Saves that change one row each.
enum OneRowSaves {
  static func run(_ stack: Stack, _ count: Int, _ age: Int) throws {
    let ids = try stack.child().performAndWait { try Item.findAll(in: $0).map(\.objectID) }
    for id in ids.prefix(count) {
      let context = stack.child()
      try context.performAndWait { local in
        (try local.existingObject(with: id) as? Item)?.age = age
        try context.saveAndWait(toPersistentStore: true)
      }
    }
  }
}

extension FilledStore {
  /// Times edits of the first item in a context of their own.
  fileprivate func editing(
    _ edit: (ManagedObjectContext, Item) -> Void
  ) throws -> Sample {
    let context = stack.child()
    let item = try context.performAndWait { try Item.findFirst(in: $0) }
    guard let item else { return Sample(wall: 0, cpu: 0) }
    return measure { edit(context, item) }
  }
}
