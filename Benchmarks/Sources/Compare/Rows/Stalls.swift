import Cauldron
import Dispatch
import Foundation

@Entity final class Tag: ManagedObject {
  var label: String
}

/// What the main queue waits for while others work.
extension Contest {
  static func stalls(_ settings: Settings) -> [Contest] { [creation(settings.size(100_000))] }

  private static func creation(_ count: Int) -> Contest {
    Contest(
      "create of three new entities on main while a \(grouped(count))-row save commits",
      onMain: false, targets: [Target(.stall, 4)],
      note: "the time is the save's; the stall is the longest create"
    ) { settings in
      let items = ItemValues.make(count)
      var expected = try save(items, at: []).wall
      return [
        Lane(.ours) {
          let sample = try save(items, at: [0.3, 0.6, 0.85].map { $0 * expected })
          expected = sample.wall
          return sample
        }
      ]
    }
  }

  /// Saves items from a background context; meanwhile the main queue creates the first object of
  /// an entity at each of some moments, in milliseconds.
  private static func save(_ items: [ItemValues], at moments: [Double]) throws -> Sample {
    let url = try Scratch.file()
    defer { Scratch.remove(url) }
    let stack = try OurStack.open(url, entities: [Tag._describeEntity()])
    defer { try? stack.close() }
    let context = stack.child()
    Item.create(items, in: context)
    let creator = Creator(stack.defaultContext)
    let began = now()
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for (number, moment) in moments.enumerated() {
        usleep(useconds_t(max(0, moment - (now() - began)) * 1_000))
        DispatchQueue.main.sync { creator.create(number) }
      }
      ended.signal()
    }
    var sample = try measure { try context.saveAndWait(toPersistentStore: true) }
    ended.wait()
    sample.stall = creator.longest
    return sample
  }
}

/// Creates an object of another entity each time.
///
/// `@unchecked Sendable` because the main queue alone creates, and its figure is read afterwards.
private final class Creator: @unchecked Sendable {
  private let context: ManagedObjectContext
  private(set) var longest = 0.0

  init(_ context: ManagedObjectContext) { self.context = context }

  func create(_ number: Int) {
    let began = now()
    switch number {
    case 0: _ = Box.create(in: context)
    case 1: _ = Part.create(in: context)
    default: _ = Tag.create(in: context)
    }
    longest = max(longest, now() - began)
  }
}
