import CauldronModel

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

  package init(_ bytes: [UInt8]) throws(ArchiveFailure) {
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
  package mutating func object(_ number: Int) throws(ArchiveFailure) -> PropertyListObject {
    if let object = known[number] { return object }
    guard number < count else { throw .propertyList }
    let offset = try Self.integer(bytes, table + number * offsetSize, offsetSize)
    guard offset < table else { throw .propertyList }
    let object = try read(offset)
    known[number] = object
    return object
  }

  /// Counts bytes that are read.
  mutating func spend(_ count: Int) throws(ArchiveFailure) {
    guard count <= budget else { throw .propertyList }
    budget -= count
  }

  /// A number of up to eight bytes, the most significant one first, which is not negative.
  static func integer(
    _ bytes: [UInt8], _ start: Int, _ size: Int
  ) throws(ArchiveFailure) -> Int {
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

extension PropertyListReader {
  /// Reads the object at an offset before the table.
  mutating func read(_ offset: Int) throws(ArchiveFailure) -> PropertyListObject {
    let low = Int(bytes[offset] & 0xF)
    switch bytes[offset] >> 4 {
    case 0x0: return try constant(low)
    case 0x1:
      guard low <= 4 else { throw .propertyList }
      let number = try word(offset, bytes: 1 << low)
      // 16 bytes stand for a number beyond 63 bits, or for a negative one, whose last eight are enough.
      if low == 4, bytes[offset + 1] == 0, number > UInt64(Int.max) { return .unsigned(number) }
      return .integer(Int(truncatingIfNeeded: number))
    case 0x2: return .real(try real(offset, bytes: 1 << low))
    case 0x3: return .date(try real(offset, bytes: 8))
    case 0x4: return .data(Array(try elements(offset, 1)))
    case 0x5: return .text(String(decoding: try elements(offset, 1), as: UTF8.self))
    case 0x6: return .text(try wideText(offset))
    case 0x8:
      guard let number = Int(exactly: try word(offset, bytes: low + 1)) else { throw .propertyList }
      return .reference(number)
    case 0xA: return .array(numbers(try elements(offset, referenceSize)))
    case 0xD:
      let all = numbers(try elements(offset, 2 * referenceSize))
      let half = all.count / 2
      return .dictionary(keys: Array(all[..<half]), values: Array(all[half...]))
    default: throw .propertyList
    }
  }

  private func constant(_ low: Int) throws(ArchiveFailure) -> PropertyListObject {
    switch low {
    case 0: return .null
    case 8: return .boolean(false)
    case 9: return .boolean(true)
    default: throw .propertyList
    }
  }

  /// The number of a fixed size behind a marker.
  private mutating func word(_ offset: Int, bytes size: Int) throws(ArchiveFailure) -> UInt64 {
    guard size <= table - offset - 1 else { throw .propertyList }
    try spend(1 + size)
    return Self.word(bytes[(offset + 1)..<(offset + 1 + size)])
  }

  private mutating func real(_ offset: Int, bytes size: Int) throws(ArchiveFailure) -> Double {
    let word = try word(offset, bytes: size)
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: word)))
    case 8: return Double(bitPattern: word)
    default: throw .propertyList
    }
  }

  /// The bytes of an object's elements, each of which has so many.
  private mutating func elements(
    _ offset: Int, _ unit: Int
  ) throws(ArchiveFailure) -> ArraySlice<UInt8> {
    var start = offset + 1
    var count = Int(bytes[offset] & 0xF)
    if count == 0xF {
      guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else {
        throw .propertyList
      }
      let size = 1 << Int(bytes[start] & 0xF)
      count = try Self.integer(bytes, start + 1, size)
      start += 1 + size
    }
    guard start <= table, count <= (table - start) / unit else { throw .propertyList }
    try spend(1 + count * unit)
    return bytes[start..<(start + count * unit)]
  }

  private func numbers(_ elements: ArraySlice<UInt8>) -> [Int] {
    stride(from: elements.startIndex, to: elements.endIndex, by: referenceSize).map { start in
      Int(clamping: Self.word(elements[start..<(start + referenceSize)]))
    }
  }

  private mutating func wideText(_ offset: Int) throws(ArchiveFailure) -> String {
    let elements = try elements(offset, 2)
    let units = stride(from: elements.startIndex, to: elements.endIndex, by: 2).map { start in
      UInt16(elements[start]) << 8 | UInt16(elements[start + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}

extension PropertyListReader {
  /// The numbers of a dictionary's values by their keys, none of which may stand there twice.
  package mutating func members(of number: Int) throws(ArchiveFailure) -> [String: Int] {
    guard case .dictionary(let keys, let values) = try object(number) else { throw .propertyList }
    var result: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      guard case .text(let name) = try object(key),
        result.updateValue(value, forKey: name.withOrderedMarks) == nil
      else { throw .propertyList }
    }
    return result
  }

  /// The values of a dictionary by their keys.
  package mutating func entries(
    of number: Int
  ) throws(ArchiveFailure) -> [String: PropertyListObject] {
    var result: [String: PropertyListObject] = [:]
    for (name, value) in try members(of: number) { result[name] = try object(value) }
    return result
  }

  /// The texts of an array; none where the object is no array.
  package mutating func texts(_ number: Int) -> [String] {
    guard case .array(let elements)? = try? object(number) else { return [] }
    var result: [String] = []
    for element in elements {
      if case .text(let text)? = try? object(element) { result.append(text) }
    }
    return result
  }

  /// Whether collections lie in one another no deeper than `deepest`, and none in itself. What cannot be
  /// read contains nothing.
  package mutating func isShallow() -> Bool {
    var heights: [Int: Int] = [:]
    return height(of: top, above: 0, &heights) != nil
  }

  /// How many collections lie in one another below an object; nil where they are too many.
  private mutating func height(
    of number: Int, above depth: Int, _ heights: inout [Int: Int]
  ) -> Int? {
    if let known = heights[number] { return known + depth <= Self.deepest ? known : nil }
    let elements: [Int]
    switch try? object(number) {
    case .array(let members): elements = members
    case .dictionary(let keys, let values): elements = keys + values
    default: return 0
    }
    guard depth < Self.deepest else { return nil }
    var height = 0
    for element in elements {
      guard let below = self.height(of: element, above: depth + 1, &heights) else { return nil }
      height = max(height, below)
    }
    heights[number] = height + 1
    return height + 1
  }

  /// Whether the tree below an object, in which what is shared stands as often as it is referred to, is
  /// of so many objects at most: what makes a tree of the list takes no longer then.
  package mutating func isTree(_ number: Int, of most: inout Int) -> Bool {
    most -= 1
    guard most >= 0, let object = try? object(number) else { return false }
    switch object {
    case .array(let elements): return elements.allSatisfy { isTree($0, of: &most) }
    case .dictionary(let keys, let values):
      return (keys + values).allSatisfy { isTree($0, of: &most) }
    default: return true
    }
  }
}

/// One object of a property list; what it contains are the numbers of other objects.
package enum PropertyListObject: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number that has 64 bits.
  case unsigned(UInt64)
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

/// Why bytes are no model.
package enum ArchiveFailure: Error, Hashable {
  /// The bytes are not compressed as they should be, end too early or stand for too many.
  case compression
  /// The bytes are no binary property list, or one that would take too long to read.
  case propertyList
  /// The property list is no archive of a model; the text says what is wrong.
  case archive(String)
}
