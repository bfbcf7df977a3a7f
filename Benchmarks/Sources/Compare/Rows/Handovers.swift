import Cauldron
import Dispatch
import Foundation

extension Contest {
  static func handovers(_ settings: Settings) -> [Contest] {
    [settings.size(1_000), settings.size(740_300)].map(handover) + [
      stall(settings.size(100_000)), stallOfRaw(settings.size(100_000)),
    ]
  }

  /// What the main queue pays for a fetch that ran in the background: to take the result over, to
  /// show a screenful of it, and to let it go.
  private static func handover(_ count: Int) -> Contest {
    Contest(
      "background fetch of \(grouped(count)) handed to main",
      targets: [Target(.main, 0.1)], note: "main: taken over, 30 objects read, released"
    ) { _ in
      let store = try FilledStore(count)
      return [
        Lane(.ours) {
          let background = store.stack.child()
          var result: FetchedResult<Item>?
          var sample = try measure {
            result = try background.performAndWait { try $0.fetchResult(FetchRequest<Item>()) }
          }
          sample.main =
            measure {
              if let result {
                let items = store.stack.defaultContext.objects(of: result)
                consume(items.prefix(30).reduce(items.count) { $0 &+ $1.age })
              }
              result = nil
            }.wall
          return sample
        }
      ]
    }
  }

  /// The longest time for which something that is put on the main queue waits, while another
  /// thread imports through the chain.
  private static func stall(_ count: Int) -> Contest {
    Contest(
      "longest main-queue stall, import of \(grouped(count))", onMain: false,
      targets: [Target(.stall, 4)]
    ) { _ in
      let items = ItemValues.make(count)
      return [
        Lane(.ours) {
          let url = try Scratch.file()
          defer { Scratch.remove(url) }
          let stack = try OurStack.open(url)
          var sample = Sample(wall: 0, cpu: 0)
          let longest = try Heartbeat.longestWait {
            sample = try measure {
              let context = stack.child()
              context.performAndWait { _ in Item.create(items, in: context) }
              try context.saveAndWait(toPersistentStore: true)
            }
          }
          try stack.close()
          sample.stall = longest
          return sample
        }
      ]
    }
  }

  /// How long the machine alone lets the main queue wait while a thread is busy.
  private static func stallOfRaw(_ count: Int) -> Contest {
    Contest(
      "the same while the C API imports", onMain: false,
      note: "nothing is put on the main queue: this is the machine's own doing"
    ) { _ in
      let lanes = InsertLanes(count)
      let raw = lanes.raw
      return [
        Lane(.ours) {
          var sample = Sample(wall: 0, cpu: 0)
          let longest = try Heartbeat.longestWait { sample = try raw.run() }
          sample.stall = longest
          return sample
        }
      ]
    }
  }
}
