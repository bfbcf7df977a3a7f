import ArgumentParser
import Foundation

/// Commits items one by one at a steady pace; a row runs it in a process of its own.
struct RunCommits: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "commits", shouldDisplay: false)

  @Argument var store: String
  @Argument var first: Int
  @Argument var count: Int
  @Option(help: "Commits in a second.") var rate: Double
  @Option var output: String

  func run() throws {
    let database = try RawDatabase(URL(filePath: store))
    // At this pace no disk keeps up with what is synchronised.
    try database.execute("PRAGMA synchronous = NORMAL")
    let statement = try database.prepare(RawItems.insertion)
    let began = now()
    for number in 0..<count {
      let wait = began + Double(number) * 1e3 / rate - now()
      if wait > 0 { usleep(useconds_t(wait * 1e3)) }
      var item = ItemValues.make(1, from: first + number)[0]
      item.key = Int64(first + number)
      try RawItems.insert([item], statement)
    }
    try JSONEncoder().encode(now() - began).write(to: URL(filePath: output))
  }

  /// Commits for three seconds in another process.
  static func run(_ store: URL, from first: Int) throws {
    let took = try ChildProcess.run(
      ["commits", store.path, "\(first)", "3000", "--rate", "1000"], as: Double.self)
    guard took < 4_500 else {
      throw ChildFailure(reason: "could not keep the pace: \(Int(took)) ms for 3 s of commits")
    }
  }
}
