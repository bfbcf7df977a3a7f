/// Reads single objects of a binary property list, and never more than was asked for.
///
/// In this format a few bytes can stand for a tree of any size, since objects may be shared. So
/// nothing is followed by itself, each object is read once, and all that is read together is bounded
/// by the length of the list.
package struct PropertyListReader {
  /// The longest list that is looked at, in bytes.
  package static let longest = 1 << 24

  /// How deep collections may lie in one another: whoever follows them does so by recursion.
  package static let deepest = 100

  let bytes: [UInt8]
  private let offsetSize: Int
  let referenceSize: Int
  private let count: Int
  /// Where the offsets begin, and the objects end.
  let table: Int
  /// The number of the outermost object.
  package let top: Int
  /// How many bytes may still be read.
  private var budget: Int
  private var known: [Int: PropertyListObject] = [:]

  package init(_ bytes: [UInt8]) throws(StoredModelFailure) {
    guard bytes.count >= 40, bytes.count <= Self.longest,
      bytes.starts(with: Array("bplist0".utf8))
    else { throw .propertyList }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    budget = 4 * bytes.count
    count = try Self.integer(bytes, trailer + 8, 8)
    top = try Self.integer(bytes, trailer + 16, 8)
    table = try Self.integer(bytes, trailer + 24, 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw .propertyList }
  }

  /// The object with a number.
  package mutating func object(_ number: Int) throws(StoredModelFailure) -> PropertyListObject {
    if let object = known[number] { return object }
    guard number < count else { throw .propertyList }
    let offset = try Self.integer(bytes, table + number * offsetSize, offsetSize)
    guard offset < table else { throw .propertyList }
    let object = try read(offset)
    known[number] = object
    return object
  }

  /// Counts bytes that are read.
  mutating func spend(_ count: Int) throws(StoredModelFailure) {
    guard count <= budget else { throw .propertyList }
    budget -= count
  }

  /// A number of up to eight bytes, the most significant one first, which is not negative.
  static func integer(
    _ bytes: [UInt8], _ start: Int, _ size: Int
  ) throws(StoredModelFailure) -> Int {
    guard size <= bytes.count, start <= bytes.count - size,
      let value = Int(exactly: word(bytes[start..<(start + size)]))
    else { throw .propertyList }
    return value
  }

  /// The last eight of some bytes, the most significant one first.
  static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
