package import CauldronModel

/// How the records of an import stand in their text.
///
/// ```swift
/// // {"EUR": {"rate": 1.08}, "USD": {"rate": 1}}
/// options.records = .object(namesAs: "code")
/// // {"EUR": 1.08, "USD": 1}
/// options.records = .object(namesAs: "code", valuesAs: "rate")
/// // ["red", "green"]
/// options.records = .list(valuesAs: "name")
/// ```
/// `valuesAs` is the name that a record has for a value which is no object; without it such a value is refused.
public enum ImportRecords: Sendable, Hashable {
  /// As the elements of an array; an object is one record by itself.
  case list(valuesAs: String? = nil)
  /// As what an object has under its names. A record without a value for `namesAs` gets its name there: as a
  /// number, where that is what the property takes.
  case object(namesAs: String, valuesAs: String? = nil)
  /// As texts one after the other, each mostly on a line of its own (NDJSON, JSON Lines). Each is a record, or an
  /// array of records; where a root is named, it leads to them in each.
  case lines(valuesAs: String? = nil)
}

extension ImportRecords {
  /// How the records are read.
  package var form: JSONParser.Form {
    switch self {
    case .list: .list
    case .object: .object
    case .lines: .lines
    }
  }

  /// The name under which a record gets its own; nil where it has none.
  var names: String? {
    if case .object(let name, _) = self { name } else { nil }
  }

  /// The name under which a record gets a plain value; nil where there are none.
  var values: String? {
    switch self {
    case .list(let name), .object(_, let name), .lines(let name): name
    }
  }
}

/// Makes a record of what stands in the place of one.
struct RecordShape: Sendable {
  private let names: String?
  private let values: String?
  /// Whether what takes the names of records takes numbers.
  private let isNumber: Bool
  /// Where what takes the names of records is looked for.
  private let paths: [SourcePath]

  init(_ plan: ImportPlan) {
    let (records, entity) = (plan.options.records, plan.entities[0])
    names = records.names
    values = records.values
    func takes(_ paths: [SourcePath]) -> Bool { paths.contains { $0.text == records.names } }
    let attributes = entity.attributes + (entity.key?.parts ?? [])
    let attribute = attributes.first { takes($0.paths) }
    let relationship = entity.relationships.first { takes($0.paths) }
    let key = relationship.flatMap { plan.entities[$0.destination].key?.only }
    isNumber = (attribute ?? key)?.takesNumbers ?? false
    paths = attribute?.paths ?? relationship?.paths ?? []
  }

  /// Whether a value stands for a record that has nothing else.
  func isPlain(_ value: JSONValue) -> Bool { values != nil && value.kind != .object }

  /// The record that a value is, or stands for.
  func record(_ value: JSONValue) -> JSONValue {
    let isPlain = isPlain(value)
    guard isPlain || value.recordName != nil && value.kind == .object else { return value }
    var leading: [(name: String, value: JSONTape.Leading)] = []
    if let names, let name = value.recordName, isPlain || !saysItself(value, names) {
      let digits = isNumber ? JSONNumber.digits(name) : nil
      leading.append((names, digits.map { .number($0) } ?? .text(name)))
    }
    if isPlain, let values { leading.append((values, .value(value))) }
    if leading.isEmpty { return value }
    return JSONTape(leading, before: isPlain ? nil : value).root
  }

  /// Whether a record says what its name would say.
  private func saysItself(_ record: JSONValue, _ name: String) -> Bool {
    if let own = record.member(Array(name.utf8)), own.kind != .null { return true }
    guard let found = try? paths.value(in: record) else { return false }
    return found.value.kind != .null
  }
}

extension AttributePlan {
  /// Whether numbers are values of the attribute.
  fileprivate var takesNumbers: Bool {
    if coercion.type.isNumeric { return true }
    return mapping.dateFormats.contains { $0 == .secondsSince1970 || $0 == .millisecondsSince1970 }
  }
}

extension AttributeType {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    case .string, .boolean, .date, .binary, .uuid, .uri, .transformable, .composite,
      .undefined:
      false
    }
  }
}
