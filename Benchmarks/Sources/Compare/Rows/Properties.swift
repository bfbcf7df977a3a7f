import Cauldron
import Foundation

/// What a program without a library would keep.
final class PlainItem {
  var name: String
  var title: String
  var age: Int

  init(_ values: ItemValues) {
    name = values.name
    title = values.title
    age = values.age
  }
}

extension Contest {
  static func properties(_ settings: Settings) -> [Contest] {
    let short = "a String property, 6 to 11 characters"
    let long = "a String property, 21 to 28 characters"
    return [
      access("read an Int property", Target(.overhead(.base), 3), readAge, readAge),
      access("read \(short)", Target(.overhead(.base), 25), readName, readName),
      access("read \(long)", Target(.overhead(.base), 25), readTitle, readTitle),
      access("write an Int property", nil, writeAge, writeAge),
      access("write \(short)", nil, writeName, writeName),
    ]
  }

  /// A million accesses: a thousand objects, a thousand times, so that caches do not count.
  private static func access(
    _ name: String, _ target: Target?, _ ours: @escaping ([Item]) -> Void,
    _ plain: @escaping ([PlainItem]) -> Void
  ) -> Contest {
    Contest(
      "\(name) 1,000,000 times", operations: 1_000_000, base: "stored property of a plain class",
      targets: target.map { [$0] } ?? []
    ) { _ in
      let store = try FilledStore(1_000)
      let values = ItemValues.make(1_000)
      let plainItems = values.map(PlainItem.init)
      let context = store.stack.child()
      return [
        Lane(.ours) {
          try context.performAndWait { local in
            let items = try Item.findAll(in: local)
            return withExtendedLifetime(store) {
              measure { for _ in 0..<1_000 { ours(items) } }
            }
          }
        },
        Lane(.base) { measure { for _ in 0..<1_000 { plain(plainItems) } } },
      ]
    }
  }
}

// A pass over all objects, once for each class: a generic one would pay for its generality.

@inline(never) private func readAge(_ items: [Item]) {
  consume(items.reduce(0) { $0 &+ $1.age })
}

@inline(never) private func readAge(_ items: [PlainItem]) {
  consume(items.reduce(0) { $0 &+ $1.age })
}

@inline(never) private func readName(_ items: [Item]) {
  consume(items.reduce(0) { $0 &+ $1.name.utf8.count })
}

@inline(never) private func readName(_ items: [PlainItem]) {
  consume(items.reduce(0) { $0 &+ $1.name.utf8.count })
}

@inline(never) private func readTitle(_ items: [Item]) {
  consume(items.reduce(0) { $0 &+ $1.title.utf8.count })
}

@inline(never) private func readTitle(_ items: [PlainItem]) {
  consume(items.reduce(0) { $0 &+ $1.title.utf8.count })
}

@inline(never) private func writeAge(_ items: [Item]) {
  for (number, item) in items.enumerated() { item.age = number }
}

@inline(never) private func writeAge(_ items: [PlainItem]) {
  for (number, item) in items.enumerated() { item.age = number }
}

@inline(never) private func writeName(_ items: [Item]) {
  for (number, item) in items.enumerated() {
    item.name = number.isMultiple(of: 2) ? "somebody" : "nobody"
  }
}

@inline(never) private func writeName(_ items: [PlainItem]) {
  for (number, item) in items.enumerated() {
    item.name = number.isMultiple(of: 2) ? "somebody" : "nobody"
  }
}
