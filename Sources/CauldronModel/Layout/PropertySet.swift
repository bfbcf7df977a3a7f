/// A set of property indices.
@usableFromInline
package struct PropertySet: Sendable, Hashable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: [UInt64] = []

  @inlinable package init() {}

  package init(_ indices: some Sequence<Int>) {
    for index in indices { insert(index) }
  }

  @inlinable package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  @inlinable
  package func contains(_ index: Int) -> Bool {
    if index < 64 { return low & (1 << index) != 0 }
    let word = index / 64 - 1
    return word < high.count && high[word] & (1 << (index % 64)) != 0
  }

  @inlinable
  package mutating func insert(_ index: Int) {
    if index < 64 {
      low |= 1 << index
      return
    }
    let word = index / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << (index % 64)
  }

  package mutating func remove(_ index: Int) {
    if contains(index) { self = subtracting(PropertySet(CollectionOfOne(index))) }
  }

  package func union(_ other: PropertySet) -> PropertySet {
    var result = self
    result.low |= other.low
    while result.high.count < other.high.count { result.high.append(0) }
    for word in other.high.indices { result.high[word] |= other.high[word] }
    return result
  }

  package mutating func formUnion(_ other: PropertySet) { self = union(other) }

  package func intersection(_ other: PropertySet) -> PropertySet {
    var result = PropertySet()
    result.low = low & other.low
    result.high = zip(high, other.high).map { $0 & $1 }
    // Equal sets have equal words.
    while result.high.last == 0 { result.high.removeLast() }
    return result
  }

  package func subtracting(_ other: PropertySet) -> PropertySet {
    var result = self
    result.low &= ~other.low
    for word in result.high.indices where word < other.high.count {
      result.high[word] &= ~other.high[word]
    }
    while result.high.last == 0 { result.high.removeLast() }
    return result
  }

  /// The indices in ascending order.
  package var indices: [Int] {
    var result: [Int] = []
    for (word, bits) in ([low] + high).enumerated() {
      var rest = bits
      while rest != 0 {
        result.append(word * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return result
  }
}
