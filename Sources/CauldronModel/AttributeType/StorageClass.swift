/// How a packed row keeps a value: in the slot itself, or behind the slots.
@frozen @usableFromInline
package enum StorageClass: UInt8, Sendable {
  /// The slot is the integer.
  case integer
  /// The slot holds the bits of the double.
  case real
  /// The slot holds offset and length of UTF-8 bytes.
  case text
  /// The slot holds offset and length of bytes.
  case blob
}
