import CauldronModel
import Foundation

/// What `fetch` says.
struct ObjectReport {
  private let model: ManagedObjectModel
  private let rows: RowSet
  private let properties: [PropertyLayout]
  /// Whether objects of several entities may be among them.
  private let isMixed: Bool

  init(model: ManagedObjectModel, entity: EntityLayout, rows: RowSet) {
    self.model = model
    self.rows = rows
    properties = entity.declaredProperties.filter { $0.attributeType != nil || $0.kind == .toOne }
    isMixed = entity.family.count > 1
  }

  private var names: [String] {
    ["key"] + (isMixed ? ["entity"] : []) + properties.map(\.name)
  }

  private func cells(_ row: RowPointer) -> [ObjectCell] {
    let key = ObjectCell.text("p\(row.key)")
    let entity =
      isMixed ? [ObjectCell.text(model.layout(number: row.entityNumber)?.name ?? "?")] : []
    return [key] + entity + properties.map { ObjectCell($0, row) }
  }

  /// Columns, and how many objects there are.
  func writeTable(_ console: Console) {
    var table = TextTable(properties: properties, isMixed: isMixed)
    table.add(names)
    rows.walk { table.add(cells($0).map(\.shown)) }
    for (index, line) in table.lines().enumerated() {
      console.write(index == 0 ? console.styled(line, as: .bold) : line)
    }
    console.write(console.styled("\(Quantity.of(rows.count, "object"))", as: .dim))
  }

  /// A list with one object to a line.
  func writeJSON(_ console: Console) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    console.write("[")
    var isFirst = true
    rows.walk { row in
      let object = Dictionary(zip(names, cells(row))) { first, _ in first }
      guard let data = try? encoder.encode(object) else { return }
      if !isFirst { console.write(",") }
      console.writeJSON(data, end: "")
      isFirst = false
    }
    if !isFirst { console.write() }
    console.write("]")
  }

  /// Lines of RFC 4180, with a header.
  func writeCSV(_ console: Console) {
    func write(_ cells: [String]) {
      console.writeData(cells.joined(separator: ","), end: "\r\n")
    }
    write(names)
    rows.walk { write(cells($0).map(\.quoted)) }
  }
}

extension TextTable {
  /// Numbers stand to the right.
  fileprivate init(properties: [PropertyLayout], isMixed: Bool) {
    let alignments = properties.map { property -> Alignment in
      switch property.form {
      case .integer where property.kind != .toOne, .real, .decimal:
        property.attributeType == .date ? .left : .right
      default: .left
      }
    }
    self.init([.left] + (isMixed ? [.left] : []) + alignments)
  }
}

/// A value of an object, as people and programs read it.
enum ObjectCell {
  case none
  case number(String)
  case bool(Bool)
  case text(String)

  init(_ property: PropertyLayout, _ row: RowPointer) {
    guard let storage = property.storageClass, !row.isNull(property.index) else {
      self = .none
      return
    }
    let scalar = row.scalar(property.index, storage)
    switch (property.attributeType, scalar) {
    case (_, .null): self = .none
    case (nil, .integer(let key)): self = .text("p\(key)")
    case (.boolean, .integer(let value)): self = .bool(value != 0)
    case (.date, .real(let seconds)): self = .text(Self.date(seconds))
    case (.decimal, .text(let digits)): self = .number(digits)
    case (.uuid, .blob(let data)): self = .text(Self.uuid(data))
    case (_, .integer(let value)): self = .number("\(value)")
    case (_, .real(let value)): self = .number("\(value)")
    case (_, .text(let text)): self = .text(text)
    case (_, .blob(let data)): self = .text(data.base64EncodedString())
    }
  }

  /// In a table: on one line.
  var shown: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "YES" : "NO"
    case .number(let digits): digits
    case .text(let text):
      String(text.prefix(60).map { $0.isNewline || $0 == "\t" ? " " : $0 })
        + (text.count > 60 ? "…" : "")
    }
  }

  /// In CSV: nil is nothing at all, and an empty text has quotes.
  var quoted: String {
    switch self {
    case .none: return ""
    case .bool(let value): return value ? "true" : "false"
    case .number(let digits): return digits
    case .text(let text):
      let needsQuotes =
        text.isEmpty || text.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
      return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
  }

  /// By ISO 8601; as seconds where a calendar does not reach.
  private static func date(_ seconds: Double) -> String {
    guard abs(seconds) < 2e11 else { return "\(seconds)" }
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let isWhole = seconds == seconds.rounded()
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }

  private static func uuid(_ data: Data) -> String {
    guard data.count == 16 else { return data.base64EncodedString() }
    return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
  }
}

extension ObjectCell: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .text(let text): try container.encode(text)
    case .number(let digits):
      if let whole = Int64(digits) {
        try container.encode(whole)
      } else if let number = Decimal(string: digits), number.isFinite, "\(number)" == digits {
        try container.encode(number)
      } else if let number = Double(digits), number.isFinite {
        try container.encode(number)
      } else {
        // JSON has no infinity.
        try container.encode(digits)
      }
    }
  }
}
