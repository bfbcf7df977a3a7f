import CauldronModel
import CauldronStore

/// What `model diff` says.
struct ModelDifferenceReport {
  /// The paths of the two models.
  let paths: (old: String, new: String)
  /// Their names, which are shorter.
  let names: (old: String, new: String)
  let comparison: ModelComparison

  /// The lines of a screen.
  static let height = 24

  init(from old: ModelFile, to new: ModelFile) throws {
    paths = (old.path, new.path)
    names = (old.name, new.name)
    comparison = try ModelComparison(from: old, to: new)
  }

  /// - Parameter isWhole: Whether long lists are written out.
  func write(_ console: Console, isWhole: Bool) {
    let verdict =
      comparison.isEqual
      ? console.styled("the version hashes are equal", as: .green)
      : console.styled("the version hashes differ", as: .yellow)
    console.write("\(names.old.excerpt(34)) → \(names.new.excerpt(34)): \(verdict)")
    for line in FoldedLists(sections(isWhole)).lines(most: isWhole ? nil : Self.height - 2) {
      console.write(line.isTitle ? console.styled("\(line.text)", as: .bold) : "\(line.text)")
    }
    console.write(ending(console))
  }

  private func ending(_ console: Console) -> ConsoleLine {
    if comparison.isEqual { return "each opens the stores of the other as they are" }
    let rows = comparison.rows.map { "; \(Quantity.of($0, "row")) would be written anew" } ?? ""
    if !comparison.problems.isEmpty {
      return "\(console.styled("a store cannot be migrated as it stands", as: .red))"
    }
    return comparison.losses.isEmpty
      ? "\(console.styled("nothing is lost", as: .green))\(rows)"
      : "\(console.styled("what is lost has to be allowed", as: .yellow)): see `cauldron migrate`\(rows)"
  }

  /// What there is to say, in lists.
  func sections(_ isWhole: Bool) -> [FoldedLists.Section] {
    [migrated, lost, refused, quiet, isWhole ? wholeHashes : hashes]
  }

  private var migrated: FoldedLists.Section {
    var section = FoldedLists.Section("a migration does")
    let changes = comparison.changes.filter { $0.loss == nil }
    section.add(
      changes.filter { $0.property == nil && $0.isComingOrGoing }.map(\.description), under: "")
    let rest = changes.filter { $0.property != nil || !$0.isComingOrGoing }
    for (entity, list) in rest.grouped(by: \.entity) {
      section.add(list.map(\.words), under: entity)
    }
    return section
  }

  private var lost: FoldedLists.Section {
    var section = FoldedLists.Section("and loses")
    for change in comparison.losses {
      let noun = change.property == nil ? "object" : "value"
      let count = comparison.count(of: change).map { " (\(Quantity.of($0, noun)))" } ?? ""
      section.add(
        change.property == nil
          ? "all objects of \(change.entity)\(count)" : "\(change.permission ?? "")\(count)")
    }
    return section
  }

  private var refused: FoldedLists.Section {
    var section = FoldedLists.Section("in the way is")
    for problem in comparison.problems { section.add(problem.message) }
    return section
  }

  private var quiet: FoldedLists.Section {
    var section = FoldedLists.Section("without a migration")
    for (entity, list) in comparison.quiet.grouped(by: \.entity) {
      section.add(list.map { $0.words.excerpt(FoldedLists.width - 8) }, under: entity)
    }
    return section
  }

  private var hashes: FoldedLists.Section {
    var section = FoldedLists.Section("version hashes")
    var table = TextTable(.left, .left)
    for hashes in comparison.hashes {
      table.add(hashes.entity.excerpt(40), "\(Self.short(hashes.old)) → \(Self.short(hashes.new))")
    }
    for line in table.lines() { section.add(line.text) }
    return section
  }

  private var wholeHashes: FoldedLists.Section {
    var section = FoldedLists.Section("version hashes")
    for hashes in comparison.hashes {
      section.add("\(hashes.entity): \(hashes.old ?? "unknown") → \(hashes.new ?? "unknown")")
    }
    return section
  }

  /// The beginning of a hash, which tells it from all others that a reader has.
  private static func short(_ hash: String?) -> String {
    hash.map { "\($0.prefix(12))…" } ?? "unknown"
  }
}

extension ModelDifferenceReport {
  /// The form for programs.
  struct Encodable: Swift.Encodable {
    struct Change: Swift.Encodable {
      let entity: String
      let property: String?
      let change: String
      /// What `--discard` of `migrate` must name.
      let discards: String?
      /// How many values or objects are lost, where a store was asked.
      let count: Int?
    }

    let from: String
    let to: String
    let isEqual: Bool
    let changes: [Change]
    let problems: [ToolProblemText]
    let others: [QuietChange]
    let hashes: [ModelComparison.Hashes]
    let rows: Int?
  }

  /// Something that is in the way.
  struct ToolProblemText: Swift.Encodable {
    let code: String
    let message: String
    let remedy: String
  }

  var encodable: Encodable {
    Encodable(
      from: paths.old, to: paths.new, isEqual: comparison.isEqual,
      changes: comparison.changes.map {
        Encodable.Change(
          entity: $0.entity, property: $0.property, change: $0.description,
          discards: $0.permission, count: comparison.count(of: $0))
      },
      problems: comparison.problems.map {
        ToolProblemText(code: $0.code.rawValue, message: $0.message, remedy: $0.hint)
      }, others: comparison.quiet, hashes: comparison.hashes, rows: comparison.rows)
  }
}

extension ModelChange {
  /// Whether the thing is there in one of the models alone.
  fileprivate var isComingOrGoing: Bool { kind == .added || kind == .removed }

  /// A few words without the entity: `+ nickname`, `label → title`, `age: optional → required`.
  fileprivate var words: String {
    switch (kind, property) {
    case (.added, let property?): "+ \(property)"
    case (.removed, let property?): "− \(property)"
    case (.renamed(let old), let property?): "\(old) → \(property)"
    case (.renamed(let old), nil): "renamed from \(old)"
    case (.changed(let old, let new), let property?): "\(property) \(old) → \(new)"
    case (.changed(let old, let new), nil): "\(old) → \(new)"
    case (.added, nil), (.removed, nil): description
    }
  }
}

extension Sequence {
  /// The elements with equal keys together, in the order of their first ones.
  fileprivate func grouped(by key: (Element) -> String) -> [(String, [Element])] {
    let groups = Dictionary(grouping: self, by: key)
    var seen: Set<String> = []
    return map(key).filter { seen.insert($0).inserted }.map { ($0, groups[$0] ?? []) }
  }
}
