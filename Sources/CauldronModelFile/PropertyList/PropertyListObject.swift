/// One object of a property list; what it contains are the numbers of other objects.
package enum PropertyListObject: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  /// Seconds since 2001.
  case date(Double)
  case data([UInt8])
  case text(String)
  /// A reference to an object of a keyed archive.
  case reference(Int)
  case array([Int])
  case dictionary(keys: [Int], values: [Int])
}
