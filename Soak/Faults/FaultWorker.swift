import ArgumentParser
import CFaults
import CSQLite
import Foundation

/// The process in which things fail: it runs the recipes that it is given, one a line.
struct FaultWorker: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults-worker", shouldDisplay: false)

  @Argument var folder: String

  /// What ends the report on a recipe, with the number of calls that could have failed.
  static let done = "done"

  func run() throws {
    let folder = URL(filePath: folder)
    let templates = try StoreTemplates(folder)
    guard cauldron_faults_install() == SQLITE_OK else { throw SoakFailure("No VFS can be made.") }
    while let line = readLine() {
      guard let fault = Fault(line) else { throw SoakFailure("\"\(line)\" is no recipe.") }
      let trial = try Trial(fault, templates[fault.workload], folder)
      do {
        try trial.run()
      } catch is TrialEnded {
      } catch {
        trial.find(.unusable, "\(error)")
      }
      trial.injector.disarm()
      for finding in trial.findings { print(finding) }
      print(Self.done, trial.injector.calls, trial.injector.hasInjected ? 1 : 0)
      fflush(nil)
    }
  }
}
