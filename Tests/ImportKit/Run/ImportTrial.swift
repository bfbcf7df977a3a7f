import Cauldron
import CauldronImport
import CauldronModel

/// Some imports into a store with a random model, each compared with the naive one.
package struct ImportTrial: Sendable {
  /// How many imports a trial has.
  package static let importCount = 6

  private let seed: UInt64
  private let shape: Shape
  private var start: World
  private var cases: [ImportCase]

  /// Makes up the imports of a seed.
  package init(seed: UInt64) {
    self.seed = seed
    var random = ImportRandom(seed: seed)
    shape = Shape.random(using: &random)
    start = World.random(shape, using: &random)
    cases = []
    for number in 0..<Self.importCount {
      if number > 0, random.once(in: 4) {
        // The same once more.
        var again = cases[number - 1]
        again.size = 1 + random.below(20)
        cases.append(again)
      } else {
        cases.append(ImportCase.random(shape, using: &random))
      }
    }
  }

  /// Runs the imports.
  /// - Returns: The first difference; nil where there is none.
  package func difference() async throws -> String? {
    let stage = try ImportStage(shape, inFile: seed % 4 == 0)
    let difference = await differenceOrError(stage)
    try stage.close()
    return difference
  }

  private func differenceOrError(_ stage: ImportStage) async -> String? {
    do {
      try await stage.fill(start)
      if let difference = Self.difference(start, try await stage.world()) {
        return "at the start: \(difference)"
      }
      var world = start
      for (number, one) in cases.enumerated() {
        var naive = NaiveImporter(one.entity, world, one.options)
        naive.run(one.records, one.size, isAlone: one.isAlone)
        let difference = try await self.difference(one, naive, stage)
        if let difference { return "import \(number + 1): \(difference)" }
        world = naive.saved
      }
      return nil
    } catch {
      return "threw \(error)"
    }
  }

  private func difference(
    _ one: ImportCase, _ naive: NaiveImporter, _ stage: ImportStage
  ) async throws -> String? {
    do {
      let report = try await stage.run(one)
      if naive.hasStopped { return "went on" }
      if let difference = naive.report.difference(report) {
        return "\(difference)\n  \(report)\n  \(naive.report.problems)"
      }
    } catch let error as CauldronError {
      guard naive.hasStopped, error.code == .importRefused else {
        return "threw \(error) \(error.details.map(\.message))"
      }
    }
    return Self.difference(naive.saved, try await stage.world())
  }

  private static func difference(_ wanted: World, _ found: World) -> String? {
    let (a, b) = (wanted.lines(), found.lines())
    if a == b { return nil }
    let (mine, theirs) = (Set(a), Set(b))
    func text(_ lines: Set<String>) -> String {
      lines.map { $0.drop { $0 != " " } }.sorted().map { "\n   \($0)" }.joined()
    }
    return
      "the store has\(text(theirs.subtracting(mine)))\n  and not\(text(mine.subtracting(theirs)))"
  }
}

extension ImportTrial {
  /// A trial with fewer records that differs, too.
  package func shrunk() async throws -> ImportTrial {
    var best = self
    for number in cases.indices.reversed() {
      best = try await best.smaller { $0.cases.remove(at: number) }
    }
    for number in best.cases.indices.reversed() {
      for record in best.cases[number].records.indices.reversed() {
        if best.cases[number].isAlone { continue }
        best = try await best.smaller { $0.cases[number].records.remove(at: record) }
      }
      best = try await best.smaller { $0.cases[number].size = 1 }
      best = try await best.smaller { $0.cases[number].options.commitEvery = nil }
    }
    for id in best.start.ids { best = try await best.smaller { $0.start.remove(id) } }
    return best
  }

  private func smaller<Ignored>(
    _ change: (inout ImportTrial) -> Ignored
  ) async throws -> ImportTrial {
    var other = self
    _ = change(&other)
    return try await other.difference() == nil ? self : other
  }
}

extension ImportTrial: CustomStringConvertible {
  package var description: String {
    var lines: [String] = []
    for entity in shape.entities {
      let above = entity.superentity.map { ": \($0)" } ?? ""
      let kind = entity.isAbstract ? "abstract " : ""
      lines.append(
        "\(kind)\(entity.name)\(above), key \(entity.key ?? "-") unique \(entity.unique)"
          + " together \(entity.together)")
      for attribute in entity.attributes { lines.append("  \(attribute.shown)") }
      for relationship in entity.relationships { lines.append("  \(relationship.shown)") }
    }
    lines.append("start:")
    lines += start.lines().map { String($0.drop { $0 != " " }) }
    for one in cases { lines.append("import \(one)") }
    return lines.joined(separator: "\n")
  }
}
