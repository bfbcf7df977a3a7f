import Foundation

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

extension RowPointer {
  /// The properties in which two rows of one layout differ; transient and to-many ones never do.
  /// - Complexity: O(properties), plus the length of equally long texts.
  package func difference(from other: RowPointer, _ layout: EntityLayout) -> PropertySet {
    var result = PropertySet()
    if words == other.words { return result }
    for column in layout.digest.columns {
      if !isEqual(column.index, to: other, column.form) {
        result.insert(column.index)
      } else if column.hasCompanions, !isNull(column.index), differs(in: column, from: other) {
        result.insert(column.index)
      }
    }
    return result
  }

  private func differs(in column: LayoutDigest.Column, from other: RowPointer) -> Bool {
    column.entitySlot.map { slot($0) != other.slot($0) } ?? false
      || column.orderSlot.map { slot($0) != other.slot($0) } ?? false
  }
}

extension RowPointer {
  /// Whether a property has the same value in both rows.
  ///
  /// SQLite spells some numbers in other ways than they were written: a negative zero without its
  /// sign, a decimal number with an exponent, or rounded to 15 digits.
  package func isEqual(_ index: Int, to other: RowPointer, _ form: ValueForm) -> Bool {
    guard isNull(index) == other.isNull(index) else { return false }
    if isNull(index) { return true }
    switch form.comparison {
    case .integer: return slot(index) == other.slot(index)
    case .real: return slot(index) == other.slot(index) || real(index) == other.real(index)
    case .bytes: return hasBytes(index, of: other)
    case .decimal: return hasBytes(index, of: other) || isSameDecimal(index, of: other)
    }
  }

  private func hasBytes(_ index: Int, of other: RowPointer) -> Bool {
    let mine = bytes(index)
    let theirs = other.bytes(index)
    guard mine.count == theirs.count else { return false }
    guard mine.count > 0, let a = mine.baseAddress, let b = theirs.baseAddress else { return true }
    return memcmp(a, b, mine.count) == 0
  }

  private func isSameDecimal(_ index: Int, of other: RowPointer) -> Bool {
    guard let mine = decimal(index), let theirs = other.decimal(index) else { return false }
    return mine == theirs
  }
}

extension RowPointer {
  /// The attributes and to-one keys by property name.
  package func snapshot(_ entity: EntityLayout) -> [String: AttributeScalar] {
    var result: [String: AttributeScalar] = [:]
    for property in entity.properties {
      guard let storage = property.storageClass else { continue }
      result[property.name] = scalar(property.index, storage)
    }
    return result
  }
}
