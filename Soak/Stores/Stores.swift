import ArgumentParser
import Foundation

/// Damages stores, and meets them in every way.
struct Stores: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Damages stores, and inspects, verifies, reads, edits, migrates and restores them.",
    discussion: """
      Each file is a good store that a seed has damaged in one to three ways. Whatever meets it gives \
      an answer or an error of this library, soon and in little memory; what only reads changes \
      nothing, and what was reported as saved is there.
      """)

  @Option(help: "How many stores are damaged.")
  var count = 200

  @Option(help: "Decides the damage; random by default.")
  var seed: UInt64?

  @Option(help: "The number of the one store that is damaged, instead of all.")
  var file: Int?

  @Option(help: "How many times slower than an idle machine this one may be.")
  var slack = 1.0

  @Option(help: "Where the stores lie; a new folder by default.")
  var dir: String?

  @Flag(help: "Show what every operation came to.")
  var shows = false

  func validate() throws {
    if count < 1 || slack < 1 { throw ValidationError("There is nothing to do.") }
  }

  func run() throws {
    let seed = seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    let parent = dir.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = parent.appending(path: "soak-stores-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for sample in StoreSample.all { try sample.make(in: folder) }
    var campaign = StoreCampaign(seed: seed, folder: folder, slack: slack, shows: shows)
    let files = file.map { $0...$0 } ?? 1...count
    for number in files where campaign.findings < 400 { try campaign.meet(number) }
    campaign.end()
    print(campaign.summary)
    if campaign.findings > 0 { throw ExitCode(1) }
  }
}

/// Has a worker meet one damaged store after the other, and counts what comes of it.
struct StoreCampaign {
  let seed: UInt64
  let folder: URL
  let slack: Double
  let shows: Bool
  private var worker: StoreProcess?
  private var counts: [MeetingVerdict.Kind: Int] = [:]
  private var codes: [String: Int] = [:]
  private var files = 0
  private var slowest = (0.0, "")
  private var largest = (0, "")
  private let began = Date()

  init(seed: UInt64, folder: URL, slack: Double, shows: Bool) {
    (self.seed, self.folder, self.slack, self.shows) = (seed, folder, slack, shows)
  }

  var findings: Int { counts.filter { $0.key.isFinding }.map(\.value).reduce(0, +) }

  /// Damages the store with a number, and meets it in all ways.
  mutating func meet(_ number: Int) throws {
    files += 1
    var first = 0
    let ways = StoreMeeting.Way.allCases
    while first < ways.count {
      let process = try worker ?? StoreProcess(folder, seed: seed)
      worker = process
      let report = process.meet(number, from: first, patience: 30 * slack)
      for (way, verdict) in report.verdicts { note(number, report.damage, way, verdict) }
      first += report.verdicts.count
      guard let end = report.end else { break }
      worker = nil
      // A worker that ends before its first operation has none to blame.
      guard first < ways.count, !report.damage.isEmpty else { break }
      note(number, report.damage, ways[first], end)
      first += 1
    }
    if files.isMultiple(of: 200) {
      print("\(files) files, \(findings) findings, \(Int(Date().timeIntervalSince(began))) s")
      fflush(nil)
    }
  }

  mutating func end() {
    worker?.close()
    worker = nil
  }

  private mutating func note(
    _ number: Int, _ damage: String, _ way: StoreMeeting.Way, _ verdict: MeetingVerdict
  ) {
    var verdict = verdict
    if !verdict.kind.isFinding, verdict.seconds > 2 * slack { verdict.kind = .slow }
    if !verdict.kind.isFinding, verdict.megabytes > 500 { verdict.kind = .large }
    counts[verdict.kind, default: 0] += 1
    if verdict.kind == .refused {
      codes[String(verdict.detail.prefix { $0 != ":" }), default: 0] += 1
    }
    let place = "file \(number), \(way.rawValue)"
    if verdict.seconds > slowest.0 { slowest = (verdict.seconds, place) }
    if verdict.megabytes > largest.0 { largest = (verdict.megabytes, place) }
    guard verdict.kind.isFinding || shows else { return }
    let time = String(format: "%.2f s, %d MB", verdict.seconds, verdict.megabytes)
    print("\(verdict.kind.rawValue): \(way.rawValue) (\(time)) \(verdict.detail)")
    print("  \(damage)")
    if verdict.kind.isFinding {
      print("  again: swift run -c release soak stores --seed \(seed) --file \(number)")
    }
    fflush(nil)
  }

  var summary: String {
    let kinds = MeetingVerdict.Kind.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue)" }
    let total = counts.values.reduce(0, +)
    let refusals = codes.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
    return """
      refused: \(refusals.joined(separator: ", "))
      slowest: \(String(format: "%.2f s", slowest.0)), \(slowest.1); most memory: \(largest.0) MB, \
      \(largest.1)
      stores: \(files) files, \(total) operations, \(kinds.joined(separator: ", ")), \
      \(Int(Date().timeIntervalSince(began))) s, seed \(seed)
      """
  }
}
