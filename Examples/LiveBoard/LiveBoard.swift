// Serves a web page with a list of people that stays right: search as you type, edit sessions that
// can be thrown away, and a large import in the background, while the page tells what is saved and
// how long the main queue was kept from its work.
//
//   swift run -c release LiveBoard [--port 8080]
//   swift run LiveBoard --self-test

import ArgumentParser
import Cauldron
import Foundation

@main struct LiveBoard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "LiveBoard", abstract: "Shows a live list of people as a web page.")

  @Option(help: "Where to listen on 127.0.0.1; 0 for any free port.")
  var port: UInt16 = 8080

  @Option(help: "Where to keep the store. Without it the store is temporary.")
  var store: String?

  @Option(help: "How many people a new store has.")
  var people = 10_000

  @Option(name: .customLong("import"), help: "How many people an import adds.")
  var importCount: Int?

  @Flag(help: "Use the page's stream as a program, tell what it received, and end.")
  var selfTest = false

  func validate() throws {
    if people < 0 { throw ValidationError("A store has 0 or more people.") }
    if let importCount, !(1...1_000_000).contains(importCount) {
      throw ValidationError("An import adds 1 to 1000000 people.")
    }
  }

  func run() async throws {
    Stack.logLevel = .info
    let log = SaveLog()
    let place = try PeopleStore(path: store)
    defer { try? place.close() }
    try await place.open(filledWith: people, log: log)
    let count = importCount ?? (selfTest ? 20_000 : 100_000)
    let board = Board(log: log)
    let server = try BoardServer(board, port: selfTest ? 0 : port, importCount: count)
    let signals = EndingSignals { Task { await server.stop() } }
    defer { signals.cancel() }
    let main = ManagedObjectContext.default
    let figures = Task { await board.run(main) }
    defer { figures.cancel() }
    try await server.run { address in
      if selfTest {
        try await SelfTest(address, importing: count).run()
        await server.stop()
      } else {
        tell("LiveBoard is at \(address.absoluteString)")
      }
    }
  }
}

/// Prints a line at once, also where somebody else's program reads it.
func tell(_ line: String) {
  print(line)
  fflush(nil)
}
