/// Writes binary property lists.
package struct PropertyListWriter {
  private var objects: [PropertyListObject] = []
  /// Where texts are that were there before: by their bytes, since equal texts may differ in them.
  private var texts: [[UInt8]: Int] = [:]
  private var others: [PropertyListObject: Int] = [:]

  package static func bytes(of tree: PropertyListTree) -> [UInt8] {
    var writer = PropertyListWriter()
    let top = writer.add(tree)
    return writer.list(top)
  }

  /// Adds an object, unless there is one like it, and what it contains.
  private mutating func add(_ tree: PropertyListTree) -> Int {
    switch tree {
    case .boolean(let value): return scalar(.boolean(value))
    case .integer(let value): return scalar(.integer(value))
    case .real(let value): return append(.real(value))
    case .data(let value): return append(.data(value))
    case .text(let value):
      let bytes = Array(value.utf8)
      if let number = texts[bytes] { return number }
      texts[bytes] = objects.count
      return append(.text(value))
    case .reference(let value): return scalar(.reference(value))
    case .array(let elements):
      let number = append(.null)
      objects[number] = .array(elements.map { add($0) })
      return number
    case .dictionary(let entries):
      let number = append(.null)
      let sorted = entries.sorted { $0.key < $1.key }
      let keys = sorted.map { add(.text($0.key)) }
      objects[number] = .dictionary(keys: keys, values: sorted.map { add($0.value) })
      return number
    }
  }

  private mutating func scalar(_ object: PropertyListObject) -> Int {
    if let number = others[object] { return number }
    others[object] = objects.count
    return append(object)
  }

  private mutating func append(_ object: PropertyListObject) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  /// The objects, where each of them is, and what is to be known to read that.
  private func list(_ top: Int) -> [UInt8] {
    let encoder = PropertyListEncoding(referenceSize: PropertyListEncoding.size(of: objects.count))
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(bytes.count)
      bytes += encoder.bytes(of: object)
    }
    let table = bytes.count
    let offsetSize = PropertyListEncoding.size(of: table)
    for offset in offsets { bytes += PropertyListEncoding.bytes(of: offset, size: offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(encoder.referenceSize)]
    for number in [objects.count, top, table] {
      bytes += PropertyListEncoding.bytes(of: number, size: 8)
    }
    return bytes
  }
}

/// A property list that is to be written.
package indirect enum PropertyListTree: Sendable {
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

/// The bytes of single objects of a property list.
struct PropertyListEncoding {
  /// The bytes of an object's number.
  let referenceSize: Int

  func bytes(of object: PropertyListObject) -> [UInt8] {
    switch object {
    case .null: [0x00]
    case .boolean(let value): [value ? 0x09 : 0x08]
    case .integer(let value): Self.integer(value)
    case .unsigned(let value):
      [0x14] + Self.bytes(of: 0, size: 8) + Self.bytes(of: value, size: 8)
    case .real(let value): [0x23] + Self.bytes(of: value.bitPattern, size: 8)
    case .date(let value): [0x33] + Self.bytes(of: value.bitPattern, size: 8)
    case .data(let value): Self.marker(0x4, count: value.count) + value
    case .text(let value): Self.text(value)
    case .reference(let value):
      [0x80 | UInt8(Self.size(of: value) - 1)] + Self.bytes(of: value, size: Self.size(of: value))
    case .array(let elements): Self.marker(0xA, count: elements.count) + numbers(elements)
    case .dictionary(let keys, let values):
      Self.marker(0xD, count: keys.count) + numbers(keys) + numbers(values)
    }
  }

  private func numbers(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { Self.bytes(of: $0, size: referenceSize) }
  }

  private static func text(_ value: String) -> [UInt8] {
    if value.utf8.allSatisfy({ $0 < 0x80 }) {
      return marker(0x5, count: value.utf8.count) + Array(value.utf8)
    }
    return marker(0x6, count: value.utf16.count) + value.utf16.flatMap { bytes(of: $0, size: 2) }
  }

  /// The kind of an object and how many elements it has.
  private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
    count < 0xF ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF] + integer(count)
  }

  private static func integer(_ value: Int) -> [UInt8] {
    let size = size(of: value)
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bytes(of: value, size: size)
  }

  /// In how many bytes a number is written: 1, 2, 4 or 8, in which alone it may be negative.
  static func size(of number: Int) -> Int {
    if number < 0 || number >= 1 << 32 { return 8 }
    return number < 1 << 8 ? 1 : number < 1 << 16 ? 2 : 4
  }

  /// The last bytes of a number, the most significant one first.
  static func bytes(of number: some FixedWidthInteger, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
