import ArgumentParser
import Dispatch
import Foundation

/// Measures one row; the table runs it in a process of its own.
struct RunContest: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "contest", shouldDisplay: false)

  @Argument var name: String
  @OptionGroup var measuring: MeasuringOptions
  @Option var output: String
  /// Read before anything else runs.
  @Flag var mainThread = false
  /// Runs one contender alone, for a profiler.
  @Option var contender: String?

  func run() throws {
    var settings = measuring.settings
    settings.contender = contender.flatMap(Contender.init)
    guard let contest = Contest.all(settings).first(where: { $0.name == name }) else {
      throw ValidationError("There is no row \"\(name)\".")
    }
    defer { Scratch.removeAll() }
    let outcomes =
      contest.onMain
      ? try DispatchQueue.main.sync { try contest.run(settings) } : try contest.run(settings)
    try JSONEncoder().encode(outcomes).write(to: URL(filePath: output))
  }
}

/// Measures memory; a row runs it in a process of its own for each contender.
struct RunMemory: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "memory", shouldDisplay: false)

  @Argument var kind: String
  @Argument var contender: String
  @Argument var store: String
  @Argument var count: Int
  @Option var output: String

  func run() throws {
    guard let kind = MemoryKind(rawValue: kind), let who = Contender(rawValue: contender) else {
      throw ValidationError("There is no such figure.")
    }
    let figure = try DispatchQueue.main.sync {
      try kind.measure(who, URL(filePath: store), count)
    }
    try JSONEncoder().encode(figure).write(to: URL(filePath: output))
  }
}
