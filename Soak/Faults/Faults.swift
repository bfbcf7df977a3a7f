import ArgumentParser
import Foundation

/// Lets every call that a store makes fail, and looks what that does.
struct Faults: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes every call to the disk and to the store fail, one after the other.",
    discussion: """
      Worker processes run short workloads on a VFS that fails the k-th call of a method with an \
      error that it may return, once or from then on; other workloads run on a store whose methods \
      throw. Afterwards everything must work again: what was acknowledged is in the file, what was \
      refused is nowhere, and what nobody knows is there as a whole or not at all, also for a \
      process that is killed at that moment.
      """)

  @Option(help: "The most faults; all by default.")
  var count: Int?

  @Option(help: "Injects nothing more after so many seconds.")
  var seconds: Double?

  @Option(help: "Decides the order of the faults; random by default.")
  var seed: UInt64?

  @Option(help: "How many processes work.")
  var jobs = max(1, ProcessInfo.processInfo.activeProcessorCount)

  @Option(
    help: "Repeats the faults whose recipes begin so, such as chain/xSync or one whole recipe.")
  var only: String?

  @Option(help: "Where the stores are kept; in memory or a temporary directory by default.")
  var dir: String?

  func validate() throws {
    if jobs < 1 { throw ValidationError("At least one process has to work.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let folder = try makeFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let campaign = FaultCampaign(folder, jobs: jobs, seconds: seconds)
    if let only, let fault = Fault(only) {
      campaign.run([fault])
    } else {
      let places = FaultList.places.filter { "\($0)".hasPrefix(only.map(Self.place) ?? "") }
      var faults = campaign.count(places).filter { "\($0)".hasPrefix(only ?? "") }
      var random = SoakGenerator(seed: seed)
      faults.shuffle(using: &random)
      print("faults: \(faults.count) to inject, seed \(seed)")
      campaign.run(Array(faults.prefix(count ?? faults.count)))
    }
    print(campaign.summary)
    guard campaign.isClean else { throw ExitCode(1) }
  }

  /// The part of a recipe's beginning that tells the place.
  private static func place(_ only: String) -> String {
    only.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
  }

  /// Memory is quick, and power is not cut here.
  private func makeFolder() throws -> URL {
    let memory = "/dev/shm"
    let parent =
      dir.map { URL(filePath: $0) }
      ?? (FileManager.default.isWritableFile(atPath: memory)
        ? URL(filePath: memory) : FileManager.default.temporaryDirectory)
    let folder = parent.appending(path: "soak-faults-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
