import Cauldron
import Dispatch
import Foundation
import GRDB

/// Many items, of which a list is shown, or not; and the same for GRDB.
final class ListTable {
  private let shown: FilledStore
  private let bare: FilledStore
  private let count: Int
  private lazy var list = Result { try ShownList(shown.stack) }
  private var number = 0

  init(_ count: Int) throws {
    self.count = count
    shown = try FilledStore(count)
    bare = try FilledStore(count)
  }

  /// Ten changes one after the other; the middle one counts.
  func lane(
    _ who: Contender, _ change: @escaping (Int, ManagedObjectContext) throws -> Void
  ) -> Lane<Contender> {
    Lane(who) {
      let stack = who == .ours ? self.shown.stack : self.bare.stack
      let list = who == .ours ? try self.list.get() : nil
      return try ShownList.middle(of: 10) { _ in
        self.number += 1
        return try ShownList.change(stack, list) { try change(self.number, $0) }
      }
    }
  }

  /// GRDB's observation of the same query; each change is written by itself.
  func observed() -> Lane<Contender> {
    Lane(.grdb) {
      let url = try Scratch.file()
      defer { Scratch.remove(url) }
      try OurStack.fill(url, self.count)
      let table = try ObservedTable(url)
      return try ShownList.middle(of: 3) { number in
        try table.insert(ItemValues.make(1, from: 2_000_000 + number)[0])
      }
    }
  }
}
