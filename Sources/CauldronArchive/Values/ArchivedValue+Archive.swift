package import Foundation

// The archives of values. What is read may be any bytes: it takes a time that their number limits.
extension ArchivedValue {
  /// Whether bytes begin as an archive does.
  package static func isArchive(_ data: Data) -> Bool { data.starts(with: Array("bplist0".utf8)) }

  /// - Throws: Why the bytes are no archive of a value, such as an object of another class.
  package init(archive data: Data) throws(ArchiveFailure) {
    var reader = ValueReader(archive: try KeyedArchive([UInt8](data)))
    self = try reader.value(reader.archive.root, depth: 0)
  }

  /// The archive, as `NSKeyedArchiver` makes it with secure coding.
  package var archive: Data {
    var writer = ValueWriter()
    let root = writer.add(self)
    return Data(writer.archive.bytes(root: root))
  }
}

/// Reads values of an archive.
private struct ValueReader {
  var archive: KeyedArchive

  mutating func value(_ reference: Int, depth: Int) throws(ArchiveFailure) -> ArchivedValue {
    guard depth <= ArchivedValue.deepest else { throw .archive("it is nested too deeply") }
    switch try archive.value(reference) {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .real(value)
    case .unsigned(let value): return .decimal(Decimal(value))
    case .date(let value): return .date(Date(timeIntervalSinceReferenceDate: value))
    case .data(let value): return .data(Data(value))
    case .text(let value): return reference == KeyedArchiveWriter.null ? .null : .text(value)
    case .dictionary: return try object(archive.object(reference), depth: depth + 1)
    case .reference, .array: throw .archive("an object is none")
    }
  }

  private mutating func object(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchiveFailure) -> ArchivedValue {
    switch object.className {
    case "NSArray", "NSMutableArray": return .array(try list(object, depth: depth))
    case "NSSet", "NSMutableSet": return .set(Set(try list(object, depth: depth)))
    case "NSOrderedSet", "NSMutableOrderedSet": return .orderedSet(try list(object, depth: depth))
    case "NSDictionary", "NSMutableDictionary": return try dictionary(object, depth: depth)
    case "NSString", "NSMutableString":
      if let text = try archive.text(object.reference("NS.string")) { return .text(text) }
      return .text(try text(object, at: "NS.string"))
    case "NSDate":
      guard let seconds = object.values["NS.time"]?.number else { throw Self.incomplete(object) }
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case "NSData", "NSMutableData": return .data(Data(try data(object, at: "NS.data")))
    case "NSUUID": return try uuid(object)
    case "NSURL": return try url(object, depth: depth)
    case "NSNull": return .null
    case "NSDecimalNumber": return try decimal(object)
    default: throw .archive("\(object.className) is no class of values")
    }
  }

  private static func incomplete(_ object: ArchivedObject) -> ArchiveFailure {
    .archive("\(object.className) lacks its value")
  }

  private mutating func list(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchiveFailure) -> [ArchivedValue] {
    var result: [ArchivedValue] = []
    if case .array? = object.values["NS.objects"] {
      for reference in try archive.references(object, at: "NS.objects") {
        result.append(try value(reference, depth: depth))
      }
      return result
    }
    // One key for each element.
    while let reference = object.anyReference("NS.object.\(result.count)") {
      result.append(try value(reference, depth: depth))
    }
    return result
  }

  private mutating func dictionary(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchiveFailure) -> ArchivedValue {
    let keys = try archive.references(object, at: "NS.keys")
    let values = try archive.references(object, at: "NS.objects")
    guard keys.count == values.count else { throw Self.incomplete(object) }
    var result: [ArchivedValue: ArchivedValue] = [:]
    for (key, value) in zip(keys, values) {
      result[try self.value(key, depth: depth)] = try self.value(value, depth: depth)
    }
    return .dictionary(result)
  }

  private func text(_ object: ArchivedObject, at key: String) throws(ArchiveFailure) -> String {
    guard case .text(let text)? = object.values[key] else { throw Self.incomplete(object) }
    return text
  }

  /// Bytes that lie in an object, or that it refers to.
  private mutating func data(
    _ object: ArchivedObject, at key: String
  ) throws(ArchiveFailure) -> [UInt8] {
    if case .data(let bytes)? = object.values[key] { return bytes }
    guard let reference = object.reference(key),
      case .data(let bytes) = try archive.value(reference)
    else { throw Self.incomplete(object) }
    return bytes
  }

  private mutating func uuid(_ object: ArchivedObject) throws(ArchiveFailure) -> ArchivedValue {
    let bytes = try data(object, at: "NS.uuidbytes")
    guard bytes.count == 16 else { throw Self.incomplete(object) }
    return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
  }

  private mutating func url(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchiveFailure) -> ArchivedValue {
    guard let text = try archive.text(object.reference("NS.relative")) else {
      throw Self.incomplete(object)
    }
    var base: URL?
    if let reference = object.reference("NS.base"),
      case .url(let url) = try value(reference, depth: depth)
    {
      base = url
    }
    guard let url = URL(string: text, relativeTo: base)?.absoluteURL else {
      throw .archive("\"\(text.prefix(100))\" is no URL")
    }
    return .url(url)
  }

  private func decimal(_ object: ArchivedObject) throws(ArchiveFailure) -> ArchivedValue {
    guard let value = object.decimal.flatMap({ Decimal(string: $0) }) else {
      throw Self.incomplete(object)
    }
    return .decimal(value)
  }
}

/// Writes values as `NSKeyedArchiver` does.
private struct ValueWriter {
  var archive = KeyedArchiveWriter()

  mutating func add(_ value: ArchivedValue) -> Int {
    switch value {
    case .null: archive.object(["NSNull"], with: [:])
    case .boolean(let value): archive.append(.boolean(value))
    case .integer(let value): archive.append(.integer(value))
    case .real(let value): archive.append(.real(value))
    case .decimal(let value): archive.decimal("\(value)")
    case .text(let value): archive.text(value)
    case .date(let value):
      archive.object(["NSDate"], with: ["NS.time": .real(value.timeIntervalSinceReferenceDate)])
    case .data(let value): archive.append(.data([UInt8](value)))
    case .url(let value): url(value)
    case .uuid(let value):
      archive.object(
        ["NSUUID"], with: ["NS.uuidbytes": .data(withUnsafeBytes(of: value.uuid, Array.init))])
    case .array(let elements): collection(["NSArray"], of: elements)
    // The same bytes for the same value.
    case .set(let elements): collection(["NSSet"], of: elements.sorted { "\($0)" < "\($1)" })
    case .orderedSet(let elements): orderedSet(elements)
    case .dictionary(let entries): dictionary(entries)
    }
  }

  private mutating func url(_ url: URL) -> Int {
    let relative = archive.text(url.absoluteString)
    return archive.object(["NSURL"], with: ["NS.base": .null, "NS.relative": .reference(relative)])
  }

  private mutating func collection(_ classes: [String], of elements: [ArchivedValue]) -> Int {
    let place = archive.reserve()
    let references = elements.map { add($0) }
    return archive.object(
      classes, with: ["NS.objects": .array(references.map { .reference($0) })], at: place)
  }

  private mutating func orderedSet(_ elements: [ArchivedValue]) -> Int {
    var fields: [String: PropertyListTree] = [:]
    for (index, element) in elements.enumerated() {
      fields["NS.object.\(index)"] = .reference(add(element))
    }
    return archive.object(["NSOrderedSet"], with: fields)
  }

  private mutating func dictionary(_ entries: [ArchivedValue: ArchivedValue]) -> Int {
    let place = archive.reserve()
    // The same bytes for the same value.
    let sorted = entries.sorted { "\($0.key)" < "\($1.key)" }
    let keys = sorted.map { add($0.key) }
    let values = sorted.map { add($0.value) }
    return archive.object(
      ["NSDictionary"],
      with: [
        "NS.keys": .array(keys.map { .reference($0) }),
        "NS.objects": .array(values.map { .reference($0) }),
      ], at: place)
  }
}
