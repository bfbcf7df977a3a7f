/// Writes binary property lists.
struct PropertyListWriter {
  private var objects: [PropertyListObject] = []
  /// Where texts are that were there before: by their bytes, since equal texts may differ in them.
  private var texts: [[UInt8]: Int] = [:]
  private var others: [PropertyListObject: Int] = [:]

  static func bytes(of tree: PropertyListTree) -> [UInt8] {
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
    for offset in offsets { bytes += PropertyListEncoding.bytes(offset, offsetSize) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(encoder.referenceSize)]
    for number in [objects.count, top, table] { bytes += PropertyListEncoding.bytes(number, 8) }
    return bytes
  }
}
