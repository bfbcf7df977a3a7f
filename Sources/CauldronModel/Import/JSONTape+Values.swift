import Foundation

extension JSONTape {
  /// Takes in Swift values: dictionaries, arrays, numbers, texts, and whatever an attribute can be.
  /// - Throws: `import.tooDeep` beyond 512 levels, as in a cycle; `import.value` for what has no form here.
  package convenience init(_ value: Any?) throws {
    self.init()
    try add(value, level: 0, path: [])
  }

  private func add(_ value: Any?, level: Int, path: [String]) throws {
    guard level <= JSONParser.mostLevels else {
      throw CauldronError(
        .importTooDeep,
        "Cannot import Swift values: they are nested in more than \(JSONParser.mostLevels) levels,"
          + " or in a cycle.", hint: "Import values that end.")
    }
    switch Self.plain(value) {
    case nil: add(.null)
    case let source as ImportSource: add(source.value)
    case let value as Bool where Self.isTruth(value): add(value ? .true : .false)
    case let text as any StringProtocol: add(.string, String(text))
    case let members as [String: Any?]:
      try addObject(members.map { ($0, $1) }, level, path)
    case let members as NSDictionary:
      try addObject(members.map { ("\($0.key)", $0.value) }, level, path)
    case let elements as [Any?]: try addArray(elements, level, path)
    case let elements as NSArray: try addArray(Array(elements), level, path)
    case let elements as NSOrderedSet: try addArray(elements.array, level, path)
    case let elements as any Collection: try addArray(Array(Self.any(elements)), level, path)
    case let other?: try addScalar(other, path)
    }
  }

  private func addObject(
    _ members: [(name: String, value: Any?)], _ level: Int, _ path: [String]
  ) throws {
    let index = nodes.count
    add(.object)
    // In an order that does not change from run to run.
    for (name, value) in members.sorted(by: { $0.name < $1.name }) {
      add(.string, name)
      try add(value, level: level + 1, path: path + [name])
    }
    close(index, count: members.count)
  }

  private func addArray(_ elements: [Any?], _ level: Int, _ path: [String]) throws {
    let index = nodes.count
    add(.array)
    for (number, element) in elements.enumerated() {
      try add(element, level: level + 1, path: path + ["\(number)"])
    }
    close(index, count: elements.count)
  }

  private func addScalar(_ value: Any, _ path: [String]) throws {
    switch value {
    case let number as NSNumber where type(of: value) is NSNumber.Type:
      let digits = number.stringValue
      guard number.doubleValue.isFinite else { throw Self.unusable(value, path) }
      add(.number, digits)
    case let number as any BinaryInteger: add(.number, "\(number)")
    case let number as Double where number.isFinite: add(.number, "\(number)")
    case let number as Float where number.isFinite: add(.number, "\(number)")
    case let number as Decimal where !number.isNaN: add(.number, "\(number)")
    case is Double, is Float, is Decimal: throw Self.unusable(value, path)
    case let value as any AttributeValue: add(native: value)
    case let value as any RawRepresentable: try addScalar(value.rawValue, path)
    default: throw Self.unusable(value, path)
    }
  }

  private func add(_ kind: Kind, _ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    add(kind, start: start, count: bytes.count - start)
  }

  /// Copies a value of another tape.
  func add(_ value: JSONValue) {
    let (first, end) = (value.index, Int(value.tape.nodes[value.index].end))
    let offset = nodes.count - first
    for index in first..<end {
      let node = value.tape.nodes[index]
      switch node.kind {
      case .string, .number:
        let start = bytes.count
        bytes.append(contentsOf: value.tape.text(index))
        add(node.kind, start: start, count: Int(node.count))
      case .native: add(native: value.tape.natives[Int(node.start)])
      default:
        add(node.kind)
        setExtent(nodes.count - 1, count: node.count, end: Int(node.end) + offset)
      }
    }
  }

  private static func unusable(_ value: Any, _ path: [String]) -> CauldronError {
    let place = path.isEmpty ? "" : " at " + path.map { "/" + $0 }.joined()
    return CauldronError(
      .importValue, "Cannot import a \(type(of: value))\(place): it has no form in a record.",
      hint: "Pass numbers, texts, dates, data, arrays and dictionaries.")
  }

  /// The value without optionals around it; nil for `nil` and `NSNull`.
  private static func plain(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if value is NSNull { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else {
      return (type(of: value) is AnyClass ? foundation(value) : nil) ?? value
    }
    return plain(mirror.children.first?.value)
  }

  /// The Swift value that an object of Foundation stands for.
  private static func foundation(_ value: Any) -> Any? {
    switch value {
    case let text as NSString: String(text)
    case let date as NSDate:
      Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
    case let data as NSData: Data(data)
    case let uuid as NSUUID: UUID(uuidString: uuid.uuidString)
    case let url as NSURL: url.absoluteURL
    default: nil
    }
  }

  /// Whether a value that can be cast to a truth value is one: a number object can be, too.
  private static func isTruth(_ value: Any) -> Bool {
    guard let number = value as? NSNumber, type(of: value) is NSNumber.Type else { return true }
    return String(cString: number.objCType) == "c"
  }

  private static func any<Elements: Collection>(_ elements: Elements) -> [Any?] {
    elements.map { $0 as Any? }
  }
}
