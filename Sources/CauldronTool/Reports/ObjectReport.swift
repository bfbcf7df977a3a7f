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
    properties = entity.properties.filter { $0.attributeType != nil || $0.kind == .toOne }
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
      console.write(index == 0 ? console.styled(line, .bold) : line)
    }
    console.write(console.styled(Quantity.of(rows.count, "object"), .dim))
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
      console.out("\(isFirst ? "" : ",\n")\(String(decoding: data, as: UTF8.self))")
      isFirst = false
    }
    console.write(isFirst ? "]" : "\n]")
  }

  /// Lines of RFC 4180, with a header.
  func writeCSV(_ console: Console) {
    func write(_ cells: [String]) { console.out(cells.joined(separator: ",") + "\r\n") }
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
