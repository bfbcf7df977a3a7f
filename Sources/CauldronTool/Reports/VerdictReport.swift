import CauldronModel
import CauldronSQLite

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
    if let note = verdict.note { console.write(console.styled("note: \(note)", .dim)) }
    let findings = verdict.findings
    guard !findings.isEmpty else {
      let good = console.styled("no findings", .green)
      return console.write("\(store): \(good) (\(Quantity.seconds(time)))")
    }
    console.write(
      "\(store): \(console.styled(Quantity.of(findings.count, "finding"), .red))")
    var table = TextTable(.left, .left)
    for finding in findings { table.add(finding.kind.rawValue, finding.message) }
    for line in table.lines(indent: 2, style: { $1 == 0 ? console.styled($2, .yellow) : $2 }) {
      console.write(line)
    }
  }
}
