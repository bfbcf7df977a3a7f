/// What `model check` says.
struct CheckupReport {
  let model: String
  let findings: [ModelFinding]

  init(_ file: ModelFile) {
    model = file.path
    findings = ModelCheckup(file).findings
  }

  /// Whether nothing has to be done.
  var isGood: Bool { findings.allSatisfy(\.isNote) }

  /// The form for programs.
  struct Encodable: Swift.Encodable {
    let model: String
    let findings: [ModelFinding]
  }

  var encodable: Encodable { Encodable(model: model, findings: findings) }

  /// - Parameter showsNotes: Whether notes are written out, and not only counted.
  func write(_ console: Console, showsNotes: Bool) {
    let wrong = findings.filter { !$0.isNote }
    let notes = findings.filter(\.isNote)
    let verdict =
      wrong.isEmpty
      ? console.styled("no findings", as: .green)
      : console.styled("\(Quantity.of(wrong.count, "finding"))", as: .red)
    console.write("\(model): \(verdict)")
    write(wrong, console)
    if notes.isEmpty { return }
    if showsNotes {
      console.write(console.styled("notes:", as: .dim))
      write(notes, console)
    } else {
      let text =
        "\(Quantity.of(notes.count, "note")); --notes shows \(notes.count == 1 ? "it" : "them")"
      console.write(console.styled("\(text)", as: .dim))
    }
  }

  private func write(_ findings: [ModelFinding], _ console: Console) {
    var table = TextTable(.left, .left)
    for finding in findings {
      table.add(finding.kind.rawValue, "\(finding.message) \(finding.remedy)")
    }
    for line in table.lines(indent: 2, style: { $1 == 0 ? console.styled($2, as: .yellow) : $2 }) {
      console.write(line)
    }
  }
}
