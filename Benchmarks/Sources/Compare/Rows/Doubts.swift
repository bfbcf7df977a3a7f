import Cauldron
import Foundation

/// What was taken back or refused earlier must not slow later saves down.
extension Contest {
  static func doubts(_ settings: Settings) -> [Contest] {
    let count = settings.size(10_000)
    return [
      update(count, after: "a rollback", Trouble.rollback),
      update(count, after: "a refused save", Trouble.refusal),
    ]
  }

  private static func update(
    _ count: Int, after event: String, _ trouble: @escaping (Stack) throws -> Void
  ) -> Contest {
    let name = "update of \(grouped(count)) after \(event)"
    return Contest(name) { settings in
      let before = try ThreeStores(count)
      let after = try ThreeStores(count)
      try trouble(after.stack)
      var age = 0
      func lane(_ key: Contender, _ stores: ThreeStores) -> Lane<Contender> {
        Lane(key) {
          age += 1
          return try stores.change { items in for item in items { item.age = age } }
        }
      }
      let runs = settings.isQuick ? settings.runs : max(settings.runs, 15)
      let stats = try alternate(
        [lane(.ours, after), lane(.base, before)],
        Settings(runs: runs, isQuick: settings.isQuick))
      return [
        Outcome(
          name: name, stats: stats, base: "before it", targets: [Target(.ratio(.base), 1.1)])
      ]
    }
  }
}

private enum Trouble {
  /// A parent drops what a child has saved into it.
  static func rollback(_ stack: Stack) throws {
    let parent = stack.child()
    let child = ManagedObjectContext(.private, parent: parent)
    try child.performAndWait { local in
      try Item.findFirst(in: local)?.age = -1
      try local.save()
    }
    parent.performAndWait { $0.context.rollback() }
  }

  /// Of two who change one value, the second is refused.
  static func refusal(_ stack: Stack) throws {
    let contexts = [stack.child(), stack.child()]
    let items = try contexts.map { context in
      try context.performAndWait { local in
        let item = try Item.findFirst(in: local)
        item?.age = -2
        return item
      }
    }
    try contexts[0].saveAndWait(toPersistentStore: true)
    do {
      try contexts[1].saveAndWait(toPersistentStore: true)
      throw ChildFailure(reason: "the second save was not refused")
    } catch is CauldronError {
      withExtendedLifetime(items) {}
    }
  }
}
