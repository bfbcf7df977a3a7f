// Reads Debian's package index into a store, on a background context, while the main queue stays
// free; then answers questions about it from the main context.
//
//   apt-cache dumpavail | swift run -c release PackageIndex
//   swift run PackageIndex /var/lib/dpkg/status --store packages.sqlite

import ArgumentParser
import Cauldron
import Foundation
import Logging

@main struct PackageIndex: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "PackageIndex",
    abstract: "Imports Debian's package index into a store and tells what is in it.",
    discussion: """
      Lines that are not in the format of the index are reported, counted and skipped.
      """)

  @Argument(
    help: """
      The index; '-' for standard input, which is also taken where something is piped in.
      Otherwise \(InputFile.installedPackages).
      """)
  var index: String?

  @Option(help: "Where to keep the store; a new file. Without it the store is temporary.")
  var store: String?

  @Option(help: "How many packages each save carries.")
  var batch = 2_000

  @Flag(help: "Log every save.")
  var verbose = false

  func validate() throws {
    if batch < 1 { throw ValidationError("A batch has at least one package.") }
  }

  func run() async throws {
    let input = try InputFile(argument: index)
    let place = try StorePlace(path: store)
    defer { place.removeIfTemporary() }
    try setupStack(storeURL: place.url, configuration: configuration)
    let figures = try await importIndex(input)
    try await MainActor.run { try Report(figures: figures).write() }
    try Stack.cleanUp()
  }

  private var configuration: StackConfiguration {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = verbose ? .info : .warning
    return configuration
  }

  /// Imports everything while a heartbeat on the main queue tells how free that queue is.
  private func importIndex(_ input: InputFile) async throws -> ImportFigures {
    let heartbeat = Heartbeat()
    heartbeat.start()
    var run = ImportRun(input, batchSize: batch)
    try await run.importAll()
    run.figures.longestStall = await heartbeat.stop()
    return run.figures
  }
}
