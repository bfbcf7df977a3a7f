package import Foundation

/// A value that `NSKeyedArchiver` has written, of the classes that a property list or a model may hold.
package indirect enum ArchivedValue: Sendable, Hashable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  case date(Date)
  case data(Data)
  case url(URL)
  case uuid(UUID)
  case array([ArchivedValue])
  case set(Set<ArchivedValue>)
  case orderedSet([ArchivedValue])
  case dictionary([ArchivedValue: ArchivedValue])
}

extension ArchivedValue {
  /// The most collections that lie in one another.
  static let deepest = 100

  /// A value of Swift's or Foundation's types; nil for one of another type, or nested too deeply.
  package init?(_ value: Any) { self.init(value, depth: 0) }

  private init?(_ value: Any, depth: Int) {
    guard depth <= Self.deepest else { return nil }
    if let optional = value as? any OptionalValue {
      guard let unwrapped = optional.unwrapped else {
        self = .null
        return
      }
      self.init(unwrapped, depth: depth)
      return
    }
    guard let result = Self.simple(value) ?? Self.collection(value, depth: depth + 1) else {
      return nil
    }
    self = result
  }

  private static func simple(_ value: Any) -> ArchivedValue? {
    // Swift's own numbers can be cast to number objects, too.
    if type(of: value) is NSNumber.Type { return (value as? NSNumber).flatMap(number) }
    switch value {
    case let value as Bool: return .boolean(value)
    case let value as any BinaryInteger: return Int(exactly: value).map { .integer($0) }
    case let value as Double: return .real(value)
    case let value as Float: return .real(Double(value))
    case let value as Decimal: return value.isNaN ? nil : .decimal(value)
    case let value as String: return .text(value)
    case let value as Date: return .date(value)
    case let value as Data: return .data(value)
    case let value as URL: return .url(value)
    case let value as UUID: return .uuid(value)
    case is NSNull: return .null
    case let value as NSString: return .text(String(value))
    case let value as NSDate:
      return .date(Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    case let value as NSData: return .data(Data(value))
    case let value as NSURL: return value.absoluteURL.map { .url($0) }
    case let value as NSUUID: return UUID(uuidString: value.uuidString).map { .uuid($0) }
    default: return nil
    }
  }

  private static func number(_ number: NSNumber) -> ArchivedValue? {
    if let decimal = number as? NSDecimalNumber { return simple(decimal.decimalValue) }
    switch String(cString: number.objCType) {
    case "d", "f": return .real(number.doubleValue)
    case "B": return .boolean(number.boolValue)
    default: return Int(number.stringValue).map { .integer($0) }
    }
  }

  private static func collection(_ value: Any, depth: Int) -> ArchivedValue? {
    func list(_ elements: some Sequence<Any>) -> [ArchivedValue]? {
      var result: [ArchivedValue] = []
      for element in elements {
        guard let value = ArchivedValue(element, depth: depth) else { return nil }
        result.append(value)
      }
      return result
    }
    switch value {
    case let value as [Any]: return list(value).map { .array($0) }
    case let value as Set<AnyHashable>: return list(value.map(\.base)).map { .set(Set($0)) }
    case let value as [AnyHashable: Any]:
      guard let keys = list(value.keys.map(\.base)), let values = list(value.values) else {
        return nil
      }
      return .dictionary(Dictionary(zip(keys, values)) { first, _ in first })
    case let value as NSArray: return list(value.map { $0 }).map { .array($0) }
    case let value as NSOrderedSet: return list(value.array).map { .orderedSet($0) }
    case let value as NSSet: return list(value.allObjects).map { .set(Set($0)) }
    case let value as NSDictionary:
      return collection(value as? [AnyHashable: Any] ?? [:], depth: depth)
    default: return nil
    }
  }

  /// The value in Swift's types: arrays of `Any`, sets of `AnyHashable`, and dictionaries by texts, or else by
  /// `AnyHashable`; null is `NSNull`.
  package var plain: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let value): value
    case .integer(let value): value
    case .real(let value): value
    case .decimal(let value): value
    case .text(let value): value
    case .date(let value): value
    case .data(let value): value
    case .url(let value): value
    case .uuid(let value): value
    case .array(let elements), .orderedSet(let elements): elements.map(\.plain)
    case .set(let elements): Set(elements.map(\.hashable))
    case .dictionary(let entries): Self.plain(entries)
    }
  }

  private static func plain(_ entries: [ArchivedValue: ArchivedValue]) -> Any {
    var named: [String: Any] = [:]
    for case (.text(let key), let value) in entries { named[key] = value.plain }
    if named.count == entries.count { return named }
    // Keys of other types may be equal as Swift's values are: 1 and 1.0.
    return Dictionary(entries.map { ($0.hashable, $1.plain) }) { first, _ in first }
  }

  private var hashable: AnyHashable { plain as? AnyHashable ?? AnyHashable(self) }
}

/// Any optional.
package protocol OptionalValue {
  /// What is in it.
  var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
  package var unwrapped: Any? { map { $0 as Any } }
}

extension ArchivedValue {
  /// The value as JSON for a `JSONDecoder`: dates as seconds since 2001, bytes in base 64, sets as arrays. Numbers that
  /// JSON has not are the texts `inf`, `-inf` and `nan`.
  var json: Data { Data(text.utf8) }

  private var text: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .real(let value): Self.number(value)
    case .decimal(let value): value.isNaN ? "null" : "\(value)"
    case .text(let value): Self.quoted(value)
    case .date(let value): Self.number(value.timeIntervalSinceReferenceDate)
    case .data(let value): Self.quoted(value.base64EncodedString())
    case .url(let value): Self.quoted(value.absoluteString)
    case .uuid(let value): Self.quoted(value.uuidString)
    case .array(let elements), .orderedSet(let elements):
      "[\(elements.map(\.text).joined(separator: ","))]"
    case .set(let elements): "[\(elements.map(\.text).joined(separator: ","))]"
    case .dictionary(let entries): Self.text(of: entries)
    }
  }

  /// Texts and whole numbers are names of members; with other keys Swift's dictionaries are lists of keys and values.
  private static func text(of entries: [ArchivedValue: ArchivedValue]) -> String {
    var members: [String] = []
    for (key, value) in entries {
      switch key {
      case .text(let name): members.append("\(quoted(name)):\(value.text)")
      case .integer(let name): members.append("\"\(name)\":\(value.text)")
      default: return "[\(entries.flatMap { [$0.text, $1.text] }.joined(separator: ","))]"
      }
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func number(_ value: Double) -> String {
    value.isFinite ? "\(value)" : quoted("\(value)")
  }

  private static func quoted(_ text: String) -> String {
    (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
