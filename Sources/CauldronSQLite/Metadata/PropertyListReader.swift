import Foundation

/// Reads single objects of a binary property list, and never more than was asked for.
///
/// The file may come from anywhere, and in this format a few bytes can stand for a tree of any
/// size, since objects may be shared. So nothing is followed by itself, and all that is read of one
/// list together is bounded by its length.
struct PropertyListReader {
  /// The longest list that is looked at.
  static let longest = 1 << 24

  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  /// The number of the outermost object.
  let top: Int
  /// How many bytes and references may still be read.
  private var budget: Int

  /// Nil where the frame of the list is not what it should be.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40, bytes.count <= Self.longest, bytes.starts(with: Array("bplist0".utf8))
    else { return nil }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    budget = 16 * bytes.count
    guard let count = Self.integer(bytes, trailer + 8, 8),
      let top = Self.integer(bytes, trailer + 16, 8),
      let table = Self.integer(bytes, trailer + 24, 8), (1...8).contains(offsetSize),
      (1...8).contains(referenceSize), table <= trailer, count <= (trailer - table) / offsetSize
    else { return nil }
    self.count = count
    self.top = top
    self.table = table
  }

  /// The keys of a dictionary with the numbers of their values.
  mutating func dictionary(_ object: Int) -> [String: Int]? {
    guard let body = body(object, 0xD, unit: 2 * referenceSize) else { return nil }
    var result: [String: Int] = [:]
    for index in 0..<body.count {
      let place = body.start + index * referenceSize
      guard let key = Self.integer(bytes, place, referenceSize), let name = string(key),
        let value = Self.integer(bytes, place + body.count * referenceSize, referenceSize)
      else { return nil }
      result[name] = value
    }
    return result
  }

  /// The numbers of an array's elements.
  mutating func array(_ object: Int) -> [Int]? {
    guard let body = body(object, 0xA, unit: referenceSize) else { return nil }
    var result: [Int] = []
    for index in 0..<body.count {
      let place = body.start + index * referenceSize
      guard let element = Self.integer(bytes, place, referenceSize) else { return nil }
      result.append(element)
    }
    return result
  }

  mutating func data(_ object: Int) -> Data? {
    guard let body = body(object, 0x4, unit: 1) else { return nil }
    return Data(bytes[body.start..<(body.start + body.count)])
  }

  /// A text, which is in ASCII or else in UTF-16.
  mutating func string(_ object: Int) -> String? {
    if let body = body(object, 0x5, unit: 1) {
      return String(decoding: bytes[body.start..<(body.start + body.count)], as: UTF8.self)
    }
    guard let body = body(object, 0x6, unit: 2) else { return nil }
    let units = (0..<body.count).map { index in
      UInt16(bytes[body.start + 2 * index]) << 8 | UInt16(bytes[body.start + 2 * index + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Where the elements of an object begin and how many there are; nil where it is of another kind
  /// or reaches beyond the objects.
  private mutating func body(_ object: Int, _ kind: UInt8, unit: Int) -> (start: Int, count: Int)? {
    guard object < count, let offset = Self.integer(bytes, table + object * offsetSize, offsetSize),
      offset < table, bytes[offset] >> 4 == kind
    else { return nil }
    var start = offset + 1
    var count = Int(bytes[offset] & 0xF)
    if count == 0xF {
      guard start < table, bytes[start] >> 4 == 0x1, bytes[start] & 0xF <= 3 else { return nil }
      let size = 1 << Int(bytes[start] & 0xF)
      guard let long = Self.integer(bytes, start + 1, size) else { return nil }
      start += 1 + size
      count = long
    }
    guard start <= table, count <= (table - start) / unit else { return nil }
    budget -= 1 + count * unit
    return budget >= 0 ? (start, count) : nil
  }

  /// A number of up to eight bytes, the most significant one first; nil where it is too large.
  private static func integer(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int? {
    guard start >= 0, start + size <= bytes.count else { return nil }
    let value = bytes[start..<(start + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }
}
