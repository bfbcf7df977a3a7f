import Cauldron
import CauldronModel

/// Asks random questions of a store with a random model, and compares the answers with the judge's.
package struct QueryRun {
  /// What a run has found.
  package struct Difference: Sendable, CustomStringConvertible {
    package let description: String
  }

  /// How many questions a run asks.
  package static let questionCount = 100

  private let stage: QueryStage
  private var random: KitRandom

  private init(_ seed: UInt64, _ tell: @escaping (String) -> Void) throws {
    random = KitRandom(seed: seed)
    let schema = QuerySchema.random(using: &random)
    // Half of the runs have little room.
    let kinds: [QueryStage.Kind] = [.memory, .file, .narrowFile, .narrowFile]
    for entity in schema.descriptions { tell("\(entity)") }
    stage = try QueryStage(schema, kinds[Int(seed % 4)], tell)
  }

  /// Runs the questions of a seed.
  /// - Parameter tell: Is told what is done to the objects.
  /// - Returns: The first difference, made as short as it can be; nil where there is none.
  package static func run(
    _ seed: UInt64, _ tell: @escaping (String) -> Void = { _ in }
  ) throws -> Difference? {
    var run = try QueryRun(seed, tell)
    var difference: Difference?
    do { difference = try run.ask() } catch {
      difference = Difference(description: "threw \(error)")
    }
    try run.stage.close()
    return difference
  }

  private mutating func ask() throws -> Difference? {
    try stage.change(30, &random)
    for level in [3, 2, 1] { try stage.save(level) }
    for _ in 0..<(Self.questionCount / 10) {
      if !random.once(in: 4) { try stage.change(random.below(8), &random) }
      let check = QueryCheck(stage)
      for _ in 0..<10 {
        let level = random.below(4)
        var maker = QueryMaker(stage.worlds[level], random)
        let question = maker.question()
        random = maker.random
        guard let difference = check.difference(question) else { continue }
        let (short, last) = check.shrunk(question, difference)
        return Difference(description: "\(short)\n  \(last)\n  first: \(question)")
      }
    }
    return nil
  }
}
