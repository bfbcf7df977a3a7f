/// Identifies an object for ever: in every context, before and after it is saved.
///
/// An ID is small and Sendable, and the only part of an object that may cross queues. It is fixed
/// when the object is created, unlike Core Data's temporary IDs; only an object that was created
/// while somebody else wrote to the store gets another one when it is saved there. The old one leads
/// to the object as long as its stack exists, but is not equal to the new one.
public struct ManagedObjectID: Hashable, Sendable {
  /// The row's `Z_PK`; unique in the table of the root entity.
  @usableFromInline package let key: Int64
  /// The entity's number in its model.
  @usableFromInline package let entityNumber: Int32
  /// The number of the open store in this process.
  @usableFromInline package let storeNumber: Int32

  @inlinable @inline(__always)
  package init(key: Int64, entityNumber: Int32, storeNumber: Int32) {
    self.key = key
    self.entityNumber = entityNumber
    self.storeNumber = storeNumber
  }
}

/// The key of a row of a join table, which has none of its own: it is made of those of its ends, so
/// that whoever links the same two objects means the same row.
package enum JoinKey {
  /// The keys that an object may have which is linked in a store.
  package static var fit: ClosedRange<Int64> { 0...greatestEnd }

  /// The greatest key of an object that can be linked; a join has half a word for each end.
  package static let greatestEnd: Int64 = (1 << 30) - 1

  /// Marks an end whose key is provisional.
  private static let provisional: Int64 = 1 << 30
  private static let mask: Int64 = (1 << 31) - 1

  /// The key of the join of two objects; nil where one of their keys is too great.
  ///
  /// It is provisional, and so negative, as long as one of them is.
  @inline(__always)
  package static func key(_ first: Int64, _ second: Int64) -> Int64? {
    guard let a = half(first), let b = half(second) else { return nil }
    return (first < 0 || second < 0 ? .min : 0) | a << 32 | b
  }

  /// The key of the join of two objects, of which the second one may be at the first end.
  package static func key(_ near: Int64, _ far: Int64, isSwapped: Bool) -> Int64? {
    isSwapped ? key(far, near) : key(near, far)
  }

  /// The key of a link of two objects of which one has too great a key, or none that a row can
  /// have: no other link and no object has this key, and the save of the link tells why it cannot
  /// be written.
  package static func unfit(_ first: Int64, _ second: Int64) -> Int64 {
    let mixed = (UInt64(bitPattern: first) &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(bitPattern: second)
    // Keys of other links are less, and nothing waits for the exchange of one that is positive.
    return 1 << 62 | Int64((mixed &* 0xD6E8_FEB8_6659_FD93) >> 2)
  }

  /// The ends' keys.
  package static func ends(_ key: Int64) -> (first: Int64, second: Int64) {
    (whole(key >> 32 & mask), whole(key & mask))
  }

  /// Whether a key is that of a join with a provisional end; other provisional keys are greater.
  package static func isProvisional(_ key: Int64) -> Bool { key < 2 * ProvisionalKey.first }

  @inline(__always)
  private static func half(_ key: Int64) -> Int64? {
    if key >= 0 { return key <= greatestEnd ? key : nil }
    let number = ProvisionalKey.number(key)
    return 0...greatestEnd ~= number ? number | provisional : nil
  }

  private static func whole(_ half: Int64) -> Int64 {
    half & provisional == 0 ? half : ProvisionalKey.key(half & greatestEnd)
  }
}

/// The keys of objects for which no key could be reserved: negative, and counted.
package enum ProvisionalKey {
  /// Far below zero, so that all of them can ascend.
  package static let first: Int64 = -1 << 40

  /// The number that a URI names a key by.
  package static func number(_ key: Int64) -> Int64 { key - first }

  /// The key with a number.
  package static func key(_ number: Int64) -> Int64 { first + number }
}
