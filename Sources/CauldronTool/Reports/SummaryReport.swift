import CauldronModel
import CauldronSQLite
import CauldronStore

/// What `inspect` says.
struct SummaryReport {
  let summary: StoreSummary
  let showsProperties: Bool

  func write(_ console: Console) {
    console.write(console.styled("\(summary.path)", as: .bold))
    for line in facts.lines(indent: 2, style: { $1 == 0 ? console.styled($2, as: .dim) : $2 }) {
      console.write(line)
    }
    console.write()
    for (index, line) in entities.lines().enumerated() {
      console.write(index == 0 ? console.styled(line, as: .bold) : line)
    }
    guard !summary.links.isEmpty else { return }
    console.write()
    for (index, line) in links.lines().enumerated() {
      console.write(index == 0 ? console.styled(line, as: .bold) : line)
    }
  }

  private var facts: TextTable {
    var table = TextTable(.left, .left)
    table.add("store", summary.identifier)
    table.add("size", size)
    table.add("versions", list(summary.versionIdentifiers))
    table.add("checksum", summary.checksum)
    table.add("model", copy)
    if summary.hasHistory {
      table.add("followed by", summary.isMirrored ? "CloudKit" : "a history; it is only read here")
    }
    if !summary.steps.isEmpty { table.add("steps", list(summary.steps)) }
    if !summary.otherMetadata.isEmpty { table.add("metadata", list(summary.otherMetadata)) }
    return table
  }

  private var size: String {
    let free = summary.freePages > 0 ? ", \(Quantity.count(summary.freePages)) of them free" : ""
    let log = summary.logBytes > 0 ? ", and \(Quantity.bytes(summary.logBytes)) in the log" : ""
    return "\(Quantity.bytes(summary.bytes)) (\(Quantity.of(summary.pages, "page"))\(free))\(log)"
  }

  private var copy: String {
    switch summary.modelCopy {
    case .none: "no copy; the first save of a program with the right model writes one"
    case .unreadable: "its copy cannot be read"
    case .different: "its copy is that of another version"
    case .partly: "its copy has things that are not understood, such as composite attributes"
    case .complete: "its copy is complete"
    }
  }

  private var entities: TextTable {
    var table = TextTable(.left, .right, .right, .right, .left)
    table.add("entity", "rows", "attributes", "relationships", "unique")
    for entity in summary.entities {
      let isDescribed = summary.modelCopy != .none && summary.modelCopy != .unreadable
      table.add(
        name(entity), Quantity.count(entity.rows),
        isDescribed ? "\(entity.attributes.count)" : "",
        isDescribed ? "\(entity.relationships.count)" : "",
        entity.uniqueKeys.map { $0.joined(separator: " + ") }.joined(separator: ", "))
      guard showsProperties else { continue }
      for property in entity.attributes + entity.relationships {
        table.add("    \(property.name): \(type(property))")
      }
    }
    return table
  }

  private func name(_ entity: StoreSummary.Entity) -> String {
    entity.name + (entity.parent.map { ": \($0)" } ?? "") + (entity.isAbstract ? " (abstract)" : "")
  }

  private func type(_ property: StoreSummary.Property) -> String {
    property.type + (property.isOptional && !property.type.hasPrefix("[") ? "?" : "")
      + (property.isOrdered == true ? ", ordered" : "")
      + (property.inverse.map { ", inverse \($0)" } ?? "")
  }

  private var links: TextTable {
    var table = TextTable(.left, .right, .left)
    table.add("links", "rows", "table")
    for links in summary.links {
      table.add(links.relationship, Quantity.count(links.rows), links.table)
    }
    return table
  }

  private func list(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : texts.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

/// What `verify` says.
struct VerdictReport {
  let store: String
  let verdict: StoreVerdict
  let time: Duration

  /// The form for programs.
  struct Encodable: Swift.Encodable {
    let store: String
    let findings: [StoreFinding]
    let note: String?
  }

  var encodable: Encodable {
    Encodable(store: store, findings: verdict.findings, note: verdict.note)
  }

  func write(_ console: Console) {
    if let note = verdict.note { console.write(console.styled("note: \(note)", as: .dim)) }
    let wrong = verdict.findings.filter { $0.standing == .wrong }
    if wrong.isEmpty {
      let good = console.styled("no findings", as: .green)
      console.write("\(store): \(good) (\(Quantity.seconds(time)))")
    } else {
      console.write(
        "\(store): \(console.styled("\(Quantity.of(wrong.count, "finding"))", as: .red))")
    }
    write(wrong, console)
    let others = [
      (StoreFinding.Standing.leftByCoreData, "left by Core Data, which does not prevent it"),
      (.unsupported, "not supported by this library"),
    ]
    for (standing, title) in others {
      let findings = verdict.findings.filter { $0.standing == standing }
      if findings.isEmpty { continue }
      console.write(console.styled("\(title):", as: .dim))
      write(findings, console)
    }
  }

  private func write(_ findings: [StoreFinding], _ console: Console) {
    if findings.isEmpty { return }
    var table = TextTable(.left, .left)
    for finding in findings { table.add(finding.kind.rawValue, finding.message) }
    for line in table.lines(indent: 2, style: { $1 == 0 ? console.styled($2, as: .yellow) : $2 }) {
      console.write(line)
    }
  }
}
