/// A property list that is to be written.
indirect enum PropertyListTree: Sendable {
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case data([UInt8])
  case text(String)
  /// A reference to an object of a keyed archive.
  case reference(Int)
  case array([PropertyListTree])
  case dictionary([String: PropertyListTree])
}
