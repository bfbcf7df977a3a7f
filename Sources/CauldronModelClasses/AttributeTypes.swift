import Foundation

/// The types of attributes that a column holds without conversion, by their names in XML.
enum PlainType: String {
  case integer16 = "Integer 16"
  case integer32 = "Integer 32"
  case integer64 = "Integer 64"
  case decimal = "Decimal"
  case double = "Double"
  case float = "Float"
  case string = "String"
  case boolean = "Boolean"
  case date = "Date"
  case binary = "Binary"
  case uuid = "UUID"
  case uri = "URI"

  var swiftName: String {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binary: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    }
  }

  /// Whether Xcode has scalars for the type.
  var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: true
    case .decimal, .string, .date, .binary, .uuid, .uri: false
    }
  }

  /// A model's text as a literal; nil where it is no value of the type.
  func literal(of text: String) -> String? {
    switch self {
    case .integer16: whole(text).flatMap { Int16(exactly: $0) }.map { "\($0)" }
    case .integer32: whole(text).flatMap { Int32(exactly: $0) }.map { "\($0)" }
    case .integer64: whole(text).map { "\($0)" }
    case .boolean: SwiftText.number(text).map { $0 == 0 ? "false" : "true" }
    case .double:
      SwiftText.number(text).flatMap { $0.isSubnormal ? nil : SwiftText.literal($0) }
    case .float:
      SwiftText.number(text).flatMap { number in
        let float = Float(number)
        let isLost = float.isSubnormal || (float == 0 && number != 0)
        return float.isFinite && !isLost ? SwiftText.literal(number) : nil
      }
    case .decimal: decimal(text)
    case .uuid: Self.isUUID(text) ? "UUID(uuidString: \"\(text)\")!" : nil
    case .uri: URL(string: text) == nil ? nil : "URL(string: \(SwiftText.literal(text)))!"
    case .string: SwiftText.literal(text)
    case .date, .binary: nil
    }
  }

  private func whole(_ text: String) -> Int64? {
    Int64(text) ?? SwiftText.number(text).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
  }

  /// A literal of a fraction would pass through a binary number.
  private func decimal(_ text: String) -> String? {
    guard let number = SwiftText.number(text) else { return nil }
    if let whole = Int(exactly: number), whole.magnitude < 1 << 53 { return "\(whole)" }
    let digits = text.allSatisfy { $0.isASCII && ($0.isNumber || "+-.eE".contains($0)) }
    return digits ? "Decimal(string: \(SwiftText.literal(text)))!" : nil
  }

  private static func isUUID(_ text: String) -> Bool {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { $0.isASCII && $0.isHexDigit }
  }
}

/// Whether a transformer's name stands for keyed archives.
struct TransformerName {
  let isArchive: Bool

  init(_ name: String?) {
    guard var name, !name.isEmpty else {
      isArchive = true
      return
    }
    for ending in ["TransformerName", "Transformer"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
      break
    }
    isArchive = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"].contains(name)
  }
}

/// The class of an archived value, as Xcode's model editor has it.
struct ArchivedType {
  /// The Swift type; nil for one that is not archived here.
  let swiftName: String?

  private static let elements = [
    "String": "String", "NSString": "String", "Int": "Int", "Int64": "Int64", "Int32": "Int32",
    "Int16": "Int16", "Double": "Double", "Float": "Float", "Bool": "Bool", "Date": "Date",
    "NSDate": "Date", "Data": "Data", "NSData": "Data", "URL": "URL", "NSURL": "URL",
    "UUID": "UUID", "NSUUID": "UUID",
  ]

  init(_ name: String?) {
    let short = name.flatMap { $0.utf8.count <= 200 ? $0 : nil }
    swiftName = short.flatMap { Self.parse(Substring($0.filter { !$0.isWhitespace })) }
  }

  private static func parse(_ text: Substring) -> String? {
    if let plain = elements[String(text)] { return plain }
    if text.hasPrefix("["), text.hasSuffix("]") { return brackets(text.dropFirst().dropLast()) }
    for (head, make) in [("Array<", "["), ("Set<", "Set<")]
    where text.hasPrefix(head) && text.hasSuffix(">") {
      let inner = parse(text.dropFirst(head.count).dropLast())
      return inner.map { make == "[" ? "[\($0)]" : "Set<\($0)>" }
    }
    return nil
  }

  /// An array, or a dictionary of texts.
  private static func brackets(_ text: Substring) -> String? {
    var depth = 0
    for place in text.indices {
      switch text[place] {
      case "[", "<": depth += 1
      case "]", ">": depth -= 1
      case ":" where depth == 0:
        guard let key = parse(text[..<place]), let value = parse(text[text.index(after: place)...])
        else { return nil }
        return "[\(key): \(value)]"
      default: continue
      }
    }
    return parse(text).map { "[\($0)]" }
  }
}
