import Foundation

/// What happens to the metadata, and to the copy of the model.
extension StoreDamage {
  static let metadata: [Mutation] = [
    { $0.damageBlob("Z_METADATA", "Z_PLIST") }, { $0.damageBlob("Z_METADATA", "Z_PLIST") },
    { $0.replaceBlob("Z_METADATA", "Z_PLIST") }, { $0.entry() }, { $0.entry() }, { $0.entry() },
    { $0.identifier() }, { $0.metadataRow() },
  ]

  static let archives: [Mutation] = [
    { $0.damageBlob("Z_MODELCACHE", "Z_CONTENT") }, { $0.damageBlob("Z_MODELCACHE", "Z_CONTENT") },
    { $0.damageBlob("Z_MODELCACHE", "Z_CONTENT") }, { $0.replaceBlob("Z_MODELCACHE", "Z_CONTENT") },
    { $0.otherModel() }, { $0.cacheTable() },
  ]

  private mutating func put(_ bytes: [UInt8], _ table: String, _ column: String) -> Bool {
    connection().run("UPDATE \(table) SET \(column) = ?", bytes: bytes)
  }

  /// Changes, removes or adds some bytes.
  private mutating func damageBlob(_ table: String, _ column: String) -> String {
    var bytes = connection().bytes("SELECT \(column) FROM \(table)")
    guard !bytes.isEmpty else { return "\(table).\(column) cannot be read" }
    let places = (0...below(6)).map { _ in below(bytes.count) }
    let how = below(5)
    switch how {
    case 0: bytes = Array(bytes.prefix(places[0]))
    case 1: bytes.insert(UInt8(below(256)), at: places[0])
    case 2: bytes.remove(at: places[0])
    case 3:
      // The end of a property list tells where everything is.
      for place in places {
        bytes[bytes.count - 1 - place % min(40, bytes.count)] = UInt8(below(256))
      }
    default: for place in places { bytes[place] = UInt8(below(256)) }
    }
    _ = put(bytes, table, column)
    return "\(table).\(column): damage \(how) at \(places)"
  }

  private mutating func replaceBlob(_ table: String, _ column: String) -> String {
    switch below(5) {
    case 0: return run("UPDATE \(table) SET \(column) = \(oddValue())")
    case 1:
      let size = pick([1, 5_000_000, 20_000_000])
      return run("UPDATE \(table) SET \(column) = zeroblob(\(size))")
    default:
      let bomb = pick(PropertyListBomb.allCases)
      var bytes = bomb.bytes(pick([10, 200, 20_000]))
      if table == "Z_MODELCACHE", once(in: 2) { bytes = Self.stored(bytes) }
      _ = put(bytes, table, column)
      return "\(table).\(column) is a property list that is \(bomb), \(bytes.count) bytes"
    }
  }

  /// Blocks of a stream that are stored as they are (RFC 1951, 3.2.4).
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (stream, rest) = ([UInt8](), bytes[...])
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
      stream += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    return stream
  }

  /// Another value for an entry of the metadata, or of what lies in them.
  private mutating func entry() -> String {
    let bytes = connection().bytes("SELECT Z_PLIST FROM Z_METADATA")
    let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    guard var metadata = list as? [String: Any], !metadata.isEmpty else {
      return "the metadata cannot be read"
    }
    let key = pick(metadata.keys.sorted())
    let values: [Any?] = [
      nil, 5, -1, "text", Data([1, 2]), [1, 2], ["a": 1], true, 1.5, Date(), Int64.max, "",
      [String: Any](), [[[["x"]]]], String(repeating: "l", count: 50_000),
    ]
    let value = pick(values)
    var note = "metadata: \(key)"
    if var inner = metadata[key] as? [String: Any], !inner.isEmpty, once(in: 2) {
      let name = pick(inner.keys.sorted())
      inner[name] = value
      metadata[key] = inner
      note += ".\(name)"
    } else {
      metadata[key] = value
    }
    let format: PropertyListSerialization.PropertyListFormat = once(in: 4) ? .xml : .binary
    guard
      let data = try? PropertyListSerialization.data(
        fromPropertyList: metadata, format: format, options: 0)
    else { return "\(note) cannot be written" }
    _ = put([UInt8](data), "Z_METADATA", "Z_PLIST")
    return "\(note) = \(value.map { "\($0)" } ?? "nothing")"
  }

  private mutating func identifier() -> String {
    let value = pick([
      "NULL", "5", "''", "'00000000-0000-0000-0000-000000000000'", "x'00'",
      "printf('%.*c', 100000, 'x')", "'a' || char(10) || 'b'", oddValue(),
    ])
    return run("UPDATE Z_METADATA SET Z_UUID = \(value)")
  }

  private mutating func metadataRow() -> String {
    run(
      pick([
        "DELETE FROM Z_METADATA",
        "INSERT INTO Z_METADATA SELECT Z_VERSION + 1, 'x', NULL FROM"
          + " Z_METADATA",
        "INSERT INTO Z_METADATA SELECT Z_VERSION - 1, Z_UUID, x'00' FROM Z_METADATA",
        "UPDATE Z_METADATA SET Z_VERSION = 7",
        "DROP TABLE Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = CAST(Z_PLIST AS TEXT)",
      ]))
  }

  /// The copy of another model.
  private mutating func otherModel() -> String {
    let other = pick(StoreSample.all)
    let bytes = (try? Data(contentsOf: other.modelCopy(in: samples))) ?? Data()
    _ = put([UInt8](bytes), "Z_MODELCACHE", "Z_CONTENT")
    return "the copy of the model is that of \(other.name)"
  }

  private mutating func cacheTable() -> String {
    run(
      pick([
        "DELETE FROM Z_MODELCACHE", "INSERT INTO Z_MODELCACHE SELECT x'00'",
        "DROP TABLE Z_MODELCACHE", "ALTER TABLE Z_MODELCACHE ADD COLUMN x",
        "ALTER TABLE Z_MODELCACHE RENAME COLUMN Z_CONTENT TO x",
      ]))
  }
}

/// Property lists that are small, and have no end for readers that do not look out.
enum PropertyListBomb: CaseIterable {
  case deep, circular, shared, wide

  /// The binary form.
  /// - Parameter count: How many collections lie in one another.
  func bytes(_ count: Int) -> [UInt8] {
    var objects: [[UInt8]] = []
    for number in 0..<count {
      let next = (number + 1) % count
      switch self {
      case .deep where number == count - 1, .shared where number == count - 1:
        objects.append([0x50])
      case .deep, .circular: objects.append([0xA1] + Self.reference(next))
      case .shared: objects.append([0xA2] + Self.reference(next) + Self.reference(next))
      case .wide: objects.append([0xAF, 0x13] + Self.eight(number == 0 ? Int(Int32.max) : 1 << 60))
      }
    }
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for object in objects {
      offsets += Self.reference(bytes.count)
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 4, 4]
    return bytes + Self.eight(count) + Self.eight(0) + Self.eight(table)
  }

  private static func reference(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func eight(_ number: Int) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
