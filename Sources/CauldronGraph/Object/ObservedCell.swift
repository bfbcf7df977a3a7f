import Synchronization

/// A property of an object, as observers know it. Only their observations hold it, in the key path that
/// it is a part of, so it goes with the last of them.
final class ObservedCell {
  /// The index of an object as a whole: a change of any property is one of it.
  static let whole = -1

  let index: Int
  private let count: Count

  init(_ index: Int, _ count: Count) {
    self.index = index
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }

  /// How many cells there are; they may go on any thread.
  final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func add(_ difference: Int) { number.add(difference, ordering: .relaxed) }
  }

  /// Where an object remembers one.
  struct Place {
    let index: Int
    weak var cell: ObservedCell?
  }
}

extension ObservedCell: Hashable {
  static func == (a: ObservedCell, b: ObservedCell) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
