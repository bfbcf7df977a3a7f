/// What is open around the next value.
struct JSONPlace {
  /// What becomes of the values in it.
  enum Use: Equatable {
    /// Its names lead to the records; the number says how many have been followed.
    case path(Int)
    /// Its elements are the records.
    case records
    /// It belongs to a record.
    case record
    /// It is read for its grammar alone.
    case skipped
  }

  let isObject: Bool
  let use: Use
  /// Its node in the tape; -1 where it has none.
  let node: Int
  /// How many elements or names have begun.
  var count = 0
  /// The names so far: of a record once they are many.
  var names: Set<[UInt8]>?
  /// Whether the name that leads on was met.
  var wasFollowed = false
  /// Whether the name that was read last is that one.
  var isAtFollowed = false

  init(isObject: Bool, use: Use, node: Int = -1) {
    self.isObject = isObject
    self.use = use
    self.node = node
  }

  /// Notes a name in place, so that nothing is copied.
  /// - Returns: Whether it is the first of its kind.
  mutating func isNew(_ name: [UInt8]) -> Bool {
    if names == nil { names = [] }
    return names?.insert(name).inserted ?? true
  }
}
