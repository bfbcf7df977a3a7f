import Foundation

/// The value of one property of a record, as it was written and as an import has read it.
public struct ImportValue {
  /// The value as it was written.
  public let source: ImportSource
  /// What the attribute would be set to; null for a relationship.
  package let scalar: AttributeScalar
  /// Whether the attribute could keep what was written; else the source alone tells it.
  private let isReadable: Bool

  package init(source: ImportSource, scalar: AttributeScalar, isReadable: Bool = true) {
    self.source = source
    self.scalar = scalar
    self.isReadable = isReadable
  }

  /// Serves generated code: the value as a property's type, nil where it is null and the type is not
  /// optional.
  public func _value<Value: AttributeValue>(as type: Value.Type) -> Value? {
    guard scalar.isNull else { return Value.value(of: scalar) }
    guard Value._isOptional, isReadable else { return nil }
    return withUnsafePointer(to: Int64(0)) { Value._read(slot: 0, row: $0, isNull: true) }
  }

  /// The same for an enumeration.
  public func _value<Value: RawRepresentable>(as type: Value.Type) -> Value?
  where Value.RawValue: AttributeValue { Value.RawValue.value(of: scalar).flatMap(Value.init) }

  /// The same for an optional enumeration.
  public func _value<Value: RawRepresentable>(as type: Value?.Type) -> Value??
  where Value.RawValue: AttributeValue { optional(_value(as: Value.self)) }

  /// The same for any other type, of whose values the attribute has the JSON.
  @_disfavoredOverload
  public func _value<Value: Decodable>(as type: Value.Type) -> Value? {
    guard case .blob(let data) = scalar else { return nil }
    return try? JSONDecoder().decode(type, from: data)
  }

  /// The same for the optional of such a type.
  @_disfavoredOverload
  public func _value<Value: Decodable>(as type: Value?.Type) -> Value?? {
    optional(_value(as: Value.self))
  }

  /// Null is a value of an optional type; what cannot be read is none.
  private func optional<Value>(_ value: Value?) -> Value?? {
    value.map { .some($0) } ?? (scalar.isNull && isReadable ? .some(nil) : nil)
  }
}

extension JSONTape {
  /// Takes in Swift values: dictionaries, arrays, numbers, texts, and whatever an attribute can be.
  ///
  /// What no attribute can be is noted as such: it refuses the record where somebody asks for it.
  /// - Parameter isAlone: Whether the value is a record, and no array of them.
  /// - Throws: `import.tooDeep` beyond 512 levels, as in a cycle.
  package convenience init(_ value: Any?, isAlone: Bool = false) throws {
    self.init()
    self.isAlone = isAlone
    try add(value, level: 0)
  }

  /// Takes in what is no value at all.
  package convenience init(unusable what: String) {
    self.init()
    add(.unusable, text: what)
  }

  /// What is yet to be taken in: values may be nested deeper than a thread's stack allows.
  private enum Step {
    case value(Any?, level: Int)
    case name(String)
    case end(index: Int, count: Int)
  }

  private func add(_ value: Any?, level: Int) throws {
    var steps: [Step] = [.value(value, level: level)]
    while let step = steps.popLast() {
      switch step {
      case .name(let name): add(.string, text: name)
      case .end(let index, let count): close(index, count: count)
      case .value(let value, let level):
        guard level <= JSONParser.mostLevels else {
          throw CauldronError(
            .importTooDeep,
            "Cannot import Swift values: they are nested in more than \(JSONParser.mostLevels)"
              + " levels, or in a cycle.", hint: "Import values that end.")
        }
        add(value, level: level, steps: &steps)
      }
    }
  }

  private func add(_ value: Any?, level: Int, steps: inout [Step]) {
    switch Self.plain(value) {
    case nil: add(.null)
    case let source as ImportSource: add(source.value)
    case let number as NSNumber where Self.isObject(number, from: value): add(number)
    case let value as Bool: add(value ? .true : .false)
    case let data as Data: add(native: data)
    case let text as any StringProtocol: add(.string, text: String(text))
    case let members as [String: Any?]: begin(members.map { ($0, $1) }, level: level, steps: &steps)
    case let members as NSDictionary:
      begin(members.map { ("\($0.key)", $0.value) }, level: level, steps: &steps)
    case let elements as [Any?]: begin(elements, level: level, steps: &steps)
    case let elements as NSArray: begin(elements.map { $0 }, level: level, steps: &steps)
    case let elements as NSOrderedSet: begin(elements.array, level: level, steps: &steps)
    case let elements as any Collection: begin(Self.any(elements), level: level, steps: &steps)
    case let other?: addScalar(other)
    }
  }

  /// Begins an object; its members are taken in by later steps, in an order that does not change from run to
  /// run.
  private func begin(_ members: [(name: String, value: Any?)], level: Int, steps: inout [Step]) {
    steps.append(.end(index: nodes.count, count: members.count))
    add(.object)
    for (name, value) in members.sorted(by: { $0.name > $1.name }) {
      steps.append(.value(value, level: level + 1))
      steps.append(.name(name))
    }
  }

  /// Begins an array.
  private func begin(_ elements: [Any?], level: Int, steps: inout [Step]) {
    steps.append(.end(index: nodes.count, count: elements.count))
    add(.array)
    for element in elements.reversed() { steps.append(.value(element, level: level + 1)) }
  }

  private func addScalar(_ value: Any) {
    switch value {
    case let number as any BinaryInteger: add(.number, text: "\(number)")
    case let number as Double where number.isFinite: add(.number, text: "\(number)")
    case let number as Float where number.isFinite: add(.number, text: "\(number)")
    case let number as Decimal where !number.isNaN: add(.number, text: "\(number)")
    case is Double, is Float, is Decimal: add(.unusable, text: "\(value)")
    case let value as any AttributeValue: add(native: value)
    case let value as any RawRepresentable: addScalar(value.rawValue)
    default: add(.unusable, text: "a \(type(of: value))")
    }
  }

  /// Numbers of Foundation's know whether they are truth values; Swift takes 0 and 1 for such, too.
  private func add(_ number: NSNumber) {
    if String(cString: number.objCType) == "c" {
      add(number.boolValue ? .true : .false)
    } else {
      add(number.doubleValue.isFinite ? .number : .unusable, text: number.stringValue)
    }
  }

  /// - Returns: Whether there was something.
  private func add(_ standIn: StandIn?) -> Bool {
    switch standIn {
    case nil: return false
    case .native(let value): add(native: value)
    case .unusable(let what): add(.unusable, text: what)
    }
    return true
  }

  private func add(_ kind: Kind, text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    add(kind, start: start, count: bytes.count - start)
  }

  /// What a text was put in the place of.
  package enum StandIn {
    case native(any AttributeValue)
    case unusable(String)
  }

  /// Copies a value, and puts back what texts in it stand for.
  package convenience init(_ value: JSONValue, _ standIn: (String) -> StandIn?) {
    self.init()
    add(value, with: standIn)
  }

  /// What a record is given under a name.
  package enum Leading {
    case text(String)
    case number(String)
    case value(JSONValue)
  }

  /// Makes a record of some values and of a record's own, which stand behind them.
  package convenience init(
    _ leading: [(name: String, value: Leading)], before record: JSONValue?
  ) {
    self.init()
    add(.object)
    for (name, value) in leading {
      add(.string, text: name)
      switch value {
      case .text(let text): add(.string, text: text)
      case .number(let digits): add(.number, text: digits)
      case .value(let value): add(value)
      }
    }
    let count = leading.count + (record.map(addMembers) ?? 0)
    close(0, count: count)
  }

  /// Adds what an object has under its names to the outermost object.
  /// - Returns: The number of names.
  private func addMembers(of object: JSONValue) -> Int {
    let tape = object.tape
    for name in tape.repeated[object.index] ?? [] { addRepeated(name, of: 0) }
    var next = object.index + 1
    while next < tape.nodes[object.index].end {
      let text = String(decoding: tape.text(next), as: UTF8.self)
      add(tape.nodes[next].kind, text: text)
      add(JSONValue(tape: tape, index: next + 1))
      next = Int(tape.nodes[next + 1].end)
    }
    return object.count
  }

  /// Copies a value of another tape.
  func add(_ value: JSONValue, with standIn: (String) -> StandIn? = { _ in nil }) {
    let (first, end) = (value.index, Int(value.tape.nodes[value.index].end))
    let offset = nodes.count - first
    for (object, names) in value.tape.repeated where (first..<end).contains(object) {
      for name in names { addRepeated(name, of: object + offset) }
    }
    for index in first..<end {
      let node = value.tape.nodes[index]
      switch node.kind {
      case .string where add(standIn(String(decoding: value.tape.text(index), as: UTF8.self))):
        continue
      case .string, .number, .unusable:
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

  /// Whether a value that can be cast to a number object is one: Swift's own numbers can be, too.
  private static func isObject(_ number: NSNumber, from value: Any?) -> Bool {
    plain(value).map { type(of: $0) is NSNumber.Type } ?? false
  }

  private static func any<Elements: Collection>(_ elements: Elements) -> [Any?] {
    elements.map { $0 as Any? }
  }
}
