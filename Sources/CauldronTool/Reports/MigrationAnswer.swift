import CauldronModel
import CauldronSQLite
import CauldronStore

/// What `migrate` says.
struct MigrationAnswer {
  let store: String
  let model: String
  /// What is to be done; nil where nothing is.
  var forecast: MigrationReport?
  /// What was done, be it taken back again.
  var done: MigrationReport?
  /// What is wrong with the result; nil where nobody has looked.
  var findings: [StoreFinding]?
  /// Where the copy lies that was made before.
  var copy: String?

  init(store: String, model: String) {
    self.store = store
    self.model = model
  }

  private var problems: [CauldronError] { forecast?.problems ?? [] }

  var isGood: Bool { problems.isEmpty && (findings ?? []).allSatisfy { $0.standing != .wrong } }

  /// The form for programs.
  struct Encodable: Swift.Encodable {
    struct Change: Swift.Encodable {
      let entity: String
      let property: String?
      let change: String
      /// What `--discard` must name.
      let discards: String?
    }

    struct Problem: Swift.Encodable {
      let code: String
      let message: String
      let remedy: String
      let entity: String?
      let property: String?
    }

    let store: String
    let model: String
    /// Whether the store has the model already.
    let isUpToDate: Bool
    let changes: [Change]
    let rows: Int
    let problems: [Problem]
    let isDone: Bool
    let findings: [StoreFinding]?
    let copy: String?
  }

  var encodable: Encodable {
    Encodable(
      store: store, model: model, isUpToDate: forecast == nil,
      changes: (forecast?.changes ?? []).map {
        Encodable.Change(
          entity: $0.entity, property: $0.property, change: $0.description, discards: $0.permission)
      }, rows: done?.rows ?? forecast?.rows ?? 0,
      problems: problems.map {
        Encodable.Problem(
          code: $0.code.rawValue, message: $0.message, remedy: remedy($0), entity: $0.entity,
          property: $0.property)
      }, isDone: done != nil && findings == nil, findings: findings, copy: copy)
  }

  func write(_ console: Console) {
    guard let forecast else {
      return console.write("\(store): has the model \"\(model)\" already")
    }
    console.write("\(console.styled("\(store)", as: .bold)) → model \"\(model)\"")
    var table = TextTable(.left, .left)
    for change in forecast.changes {
      table.add(
        change.description, change.permission.map { "loses values: --discard \"\($0)\"" } ?? "")
    }
    for line in table.lines(indent: 2, style: { $1 == 1 ? console.styled($2, as: .yellow) : $2 }) {
      console.write(line)
    }
    for problem in problems {
      let code = console.styled("[\(problem.code.rawValue)]", as: .dim)
      console.write(
        "\(console.styled("refused:", as: .red)) \(problem.message) \(remedy(problem)) \(code)")
    }
    for finding in findings ?? [] where finding.standing == .wrong {
      console.write(
        "\(console.styled("\(finding.kind.rawValue)", as: .yellow))  \(finding.message)")
    }
    for line in ending(console) { console.write(line) }
  }

  private func ending(_ console: Console) -> [ConsoleLine] {
    guard let done else {
      let rows = Quantity.of(forecast?.rows ?? 0, "row")
      return problems.isEmpty ? ["\(rows) would be written anew; nothing was changed"] : []
    }
    let rows = "\(Quantity.of(done.rows, "row")), \(Quantity.seconds(.seconds(done.seconds)))"
    guard let findings else {
      return (copy.map { ["the store as it was: \($0)"] } ?? [])
        + ["\(console.styled("migrated", as: .green)) (\(rows))"]
    }
    let wrong = findings.filter { $0.standing == .wrong }
    let verdict =
      wrong.isEmpty
      ? console.styled("no findings", as: .green)
      : console.styled("\(Quantity.of(wrong.count, "finding"))", as: .red)
    return ["tried, with \(verdict), and taken back (\(rows))"]
  }

  /// What to do about a problem without changing the program.
  private func remedy(_ problem: CauldronError) -> String {
    switch problem.code {
    case .migrationWouldDiscard:
      let losses = forecast?.changes.filter {
        $0.entity == problem.entity && $0.property == problem.property
      }
      let name = losses?.compactMap(\.permission).first ?? "…"
      return "If that is meant: --discard \"\(name)\"."
    case .migrationCannotInfer, .migrationMissingValue, .migrationNotUnique, .migrationOutOfRange:
      return
        "\(problem.hint) Or open the store with the program, whose MigrationPlan may have a step"
        + " for it."
    default: return problem.hint
    }
  }
}

extension ModelChange {
  /// What has to be allowed: `Person.fax: String`, or an entity.
  var permission: String? { loss.map { property == nil ? $0 : "\(entity).\($0)" } }
}
