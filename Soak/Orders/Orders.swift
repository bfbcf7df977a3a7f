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
    var count = 0
    for length in 1...steps {
      let programs = [OrderStep].programs(of: length)
      // A stack keeps the objects of all programs that were run in it.
      for start in stride(from: 0, to: programs.count, by: 50) {
        let part = programs[start..<min(start + 50, programs.count)]
        count += try await look(at: part)
        if start % 1_000 == 0 {
          print("\(count) programs")
          fflush(nil)
        }
      }
    }
    print("orders: \(count) programs of at most \(steps) steps, 0 differences")
  }

  /// - Returns: How many programs were run.
  private func look(at programs: ArraySlice<[OrderStep]>) async throws -> Int {
    let (run, awaited) = (try OrderRun(), try OrderRun(mainQueue: .main))
    var count = 0
    for steps in programs {
      for isNew in [false, true] {
        for place in OrderRun.Place.all {
          try check(try run.findings(of: steps, isNew: isNew, at: place), "\(place)")
        }
        try check(try await awaited.awaitedFindings(of: steps, isNew: isNew), "awaited")
        count += OrderRun.Place.all.count + 1
      }
    }
    return count
  }

  private func check(_ findings: [String], _ way: String) throws {
    guard let first = findings.first else { return }
    print("difference (\(way)): \(first)")
    throw ExitCode(1)
  }
}
