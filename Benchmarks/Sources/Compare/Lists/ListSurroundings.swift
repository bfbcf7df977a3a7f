import Cauldron
import Dispatch
import Foundation

/// Lists beside other work.
extension Contest {
  /// An import through the default context, with a list of what it brings, and without one.
  static func importUnderList(_ count: Int) -> Contest {
    Contest(
      "import of \(grouped(count)) under a live list", onMain: false, ownsMainThread: true,
      base: "no list", targets: [Target(.ratio(.base), 1.1), Target(.stall, 4)]
    ) { _ in
      let items = ItemValues.make(count)
      return [
        Lane(.ours) { try bringIn(items, underList: true) },
        Lane(.base) { try bringIn(items, underList: false) },
      ]
    }
  }

  private static func bringIn(_ items: [ItemValues], underList: Bool) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let stack = try OurStack.open(url)
    defer { try? stack.close() }
    let list = underList ? try ShownList(stack) : nil
    var sample = Sample(wall: 0, cpu: 0)
    let longest = try Heartbeat.longestWait {
      sample = try measure {
        let context = stack.child()
        context.performAndWait { _ in Item.create(items, in: context) }
        try context.saveAndWait(toPersistentStore: true)
      }
      if let list { while list.count < items.count { usleep(2_000) } }
    }
    sample.stall = longest
    return sample
  }

  /// Commits that concern no list; the time is that of all threads.
  static func unrelatedLists() -> Contest {
    let lists = 50
    let commits = 1_000
    return Contest(
      "commit beside \(lists) lists of other entities, for each list", onMain: false,
      operations: lists * commits, base: "no list", targets: [Target(.overhead(.base), 1_000)],
      note: "processor time of all threads"
    ) { _ in
      let store = try FilledStore(1_000)
      let bare = try FilledStore(1_000)
      let shown = try (0..<lists).map { _ in try ShownList(store.stack) }
      return [
        Lane(.ours) { try withExtendedLifetime(shown) { try commit(commits, store.stack) } },
        Lane(.base) { try commit(commits, bare.stack) },
      ]
    }
  }

  private static func commit(_ count: Int, _ stack: Stack) throws -> Sample {
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    var sample = try measure {
      for _ in 0..<count {
        context.performAndWait { _ in Box.create(in: context).label = "b" }
        try context.saveAndWait(toPersistentStore: true)
      }
    }
    sample.wall = sample.cpu
    return sample
  }

  /// Another process that commits all the time, under a list that has to be fetched again for it.
  static func foreignCommits(_ count: Int) -> Contest {
    Contest(
      "live list of \(grouped(count)), 1,000 commits a second by another process",
      onMain: false, ownsMainThread: true, targets: [Target(.stall, 4)],
      note: "for three seconds"
    ) { _ in
      let store = try FilledStore(count)
      let list = try ShownList(store.stack)
      var first = 10_000_000
      return [
        Lane(.ours) {
          first += 1_000_000
          var sample = Sample(wall: 0, cpu: 0)
          let longest = try withExtendedLifetime(list) {
            try Heartbeat.longestWait {
              sample = try measure { try RunCommits.run(store.url, from: first) }
            }
          }
          sample.stall = longest
          return sample
        }
      ]
    }
  }
}
