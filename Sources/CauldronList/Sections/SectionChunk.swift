/// Some adjacent sections of a list; never changes once made.
final class SectionChunk<Value: Hashable & Sendable>: Sendable {
  /// The most sections of a chunk.
  static var most: Int { 256 }
  /// Fewer ones are copied into a new chunk rather than kept apart.
  static var fewest: Int { 128 }

  let runs: [SectionRun<Value>]
  /// How many elements each section and those before it in the chunk have.
  let ends: [Int]

  init(_ runs: [SectionRun<Value>]) {
    self.runs = runs
    ends = runs.sums(of: \.count)
  }

  /// The number of elements.
  var count: Int { ends.last ?? 0 }
}

extension Array {
  /// The sums of a number of each element and those before it.
  func sums(of number: (Element) -> Int) -> [Int] {
    var sum = 0
    return map {
      sum += number($0)
      return sum
    }
  }
}
