import ArgumentParser
import Foundation
import GraphKit

/// Runs all short programs over two contexts, of which the tests run a sample.
struct Orders: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs every program of a few steps over a context and its child.",
    discussion: """
      A step edits, deletes, reads, saves or ends an event, in a context or in a child of it, about one \
      object, which is new or saved. The child is reached in each way that there is: directly, by \
      performAndWait, by another thread, and by a task that awaits; the context is the root, the main \
      context or a child of that. No save that succeeds may lose an edit. Programs that do what a shorter \
      one does are left out.
      """)

  @Option(help: "How many steps a program has at most.")
  var steps = 5

  func validate() throws {
    if steps < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() async throws {
    var (run, awaited) = (try OrderRun(), try OrderRun(mainQueue: .main))
    var count = 0
    for steps in (1...steps).lazy.flatMap({ [OrderStep].programs(of: $0) }) {
      for isNew in [false, true] {
        for place in OrderRun.Place.all {
          try check(try run.findings(of: steps, isNew: isNew, at: place), "\(place)")
        }
        try check(try await awaited.awaitedFindings(of: steps, isNew: isNew), "awaited")
        count += OrderRun.Place.all.count + 1
      }
      if count % 16_000 == 0 {
        print("\(count) programs")
        fflush(nil)
      }
    }
    print("orders: \(count) programs of at most \(steps) steps, 0 differences")
  }

  private func check(_ findings: [String], _ way: String) throws {
    guard let first = findings.first else { return }
    print("difference (\(way)): \(first)")
    throw ExitCode(1)
  }
}
