import ArgumentParser
import Cauldron
import CauldronModel
import CauldronSQLite
import CauldronStore
import CauldronTool
import Foundation

/// A damaged store, and the ways in which it is met; each meets a copy of its own.
struct StoreMeeting {
  /// The ways, in the order in which they are taken.
  enum Way: String, CaseIterable {
    case inspect, verify, tell, read, forecast, backup, save
    case saveLater = "save-later"
    case migrate
    case migrateOutside = "migrate-outside"
    case trial, restore
    case restoreOver = "restore-over"
    case recreate, beneath, seed, origin
    case verifyOpen = "verify-open"

    /// Whether the file and what lies beside it must stay as they are, byte by byte.
    var onlyReads: Bool {
      [
        .inspect, .verify, .tell, .read, .forecast, .backup, .origin, .verifyOpen,
      ].contains(self)
    }
  }

  let sample: StoreSample
  /// The damaged store, which is only copied.
  let damaged: StoreFiles
  /// The good one.
  let good: StoreFiles
  /// Where copies are met.
  let work: StoreFiles
  let model: ManagedObjectModel
  let next: ManagedObjectModel

  init(_ sample: StoreSample, _ damaged: StoreFiles, samples: URL, in folder: URL) throws {
    self.sample = sample
    self.damaged = damaged
    good = sample.files(in: samples)
    work = StoreFiles(folder.appending(path: "met.sqlite"))
    model = try sample.species.model()
    next = try sample.species.nextModel()
  }

  /// Meets the store in one way.
  func meet(_ way: Way) throws -> MeetingVerdict {
    try damaged.copy(to: work)
    defer { work.remove() }
    let before = work.state
    ProcessMemory.reset()
    let began = ContinuousClock.now
    var verdict: MeetingVerdict
    do {
      verdict = try run(way)
    } catch {
      verdict = MeetingVerdict(error)
    }
    let time = began.duration(to: .now).components
    if !verdict.kind.isFinding, way.onlyReads,
      let change = before.change(to: work.state, mayOpen: way == .read || way == .verifyOpen)
    {
      verdict = MeetingVerdict(.changed, "\(change); \(verdict.detail)")
    }
    verdict.seconds = Double(time.seconds) + Double(time.attoseconds) / 1e18
    verdict.megabytes = ProcessMemory.peak
    return verdict
  }

  private func run(_ way: Way) throws -> MeetingVerdict {
    switch way {
    case .inspect: try inspect()
    case .verify: try verify()
    case .tell: try tell()
    case .read: try StoreReading(self).run()
    case .forecast: try forecast()
    case .backup: try backup()
    case .save: try StoreEditing(self).run(reopens: false)
    case .saveLater: try StoreEditing(self).run(reopens: true)
    case .migrate, .migrateOutside, .trial: try StoreMoving(self).migrate(way)
    case .restore: try StoreMoving(self).restore()
    case .restoreOver: try StoreMoving(self).restoreOver()
    case .recreate: try StoreMoving(self).recreate()
    case .beneath: try StoreLiving(self).beneath()
    case .seed: try StoreLiving(self).seed()
    case .origin: try StoreLiving(self).origin()
    case .verifyOpen: try StoreLiving(self).verify()
    }
  }
}

extension StoreMeeting {
  /// Runs a command of the tool, with what it writes on a terminal.
  private func run(_ command: (some ToolCommand).Type, _ arguments: [String]) throws -> Int32 {
    let console = Console(
      isTerminal: true, isColoured: true, showsProgress: false, out: { _ in }, err: { _ in })
    return try command.parse(arguments).perform(console)
  }

  private func inspect() throws -> MeetingVerdict {
    _ = try run(InspectCommand.self, [work.path(), "--properties"])
    _ = try run(InspectCommand.self, [work.path(), "--json"])
    return MeetingVerdict(.answered)
  }

  private func verify() throws -> MeetingVerdict {
    _ = try run(VerifyCommand.self, [work.path(), "--quick"])
    let verdict = try StoreExamination(work.url, busyTimeout: 0.5).verify()
    let texts = verdict.findings.map(\.message)
    if let text = texts.first(where: { $0.count > 400 || $0.contains(where: \.isNewline) }) {
      return MeetingVerdict(.wordy, text)
    }
    if texts.count > 1_001 { return MeetingVerdict(.wordy, "\(texts.count) findings") }
    return MeetingVerdict(.answered, "\(texts.count) findings")
  }

  /// Fetches from outside, with the store's own copy of its model.
  private func tell() throws -> MeetingVerdict {
    var refusal: (any Error)?
    for entity in model.entities {
      for options in [
        ["--format", "json"], ["--where", "number > 5", "--sort", "number:NO", "--limit", "20"],
      ] {
        do {
          _ = try run(FetchCommand.self, [work.path(), entity.name] + options)
        } catch is CauldronError where refusal != nil {
        } catch {
          refusal = error
        }
      }
    }
    if let refusal { throw refusal }
    return MeetingVerdict(.answered)
  }

  private func forecast() throws -> MeetingVerdict {
    var configuration = StoreAccess.configuration()
    configuration.migration = .automatic(discarding: sample.species.discards)
    let forecast = try StoreAccess.forecast(work.url, next, configuration)
    if let problem = forecast.problems.lazy.compactMap(MeetingVerdict.fault).first {
      return MeetingVerdict(.wordy, problem)
    }
    _ = "\(forecast)"
    let outside = OutsideMigration(work.url, to: next, discarding: sample.species.discards)
    _ = try outside.forecast()
    return MeetingVerdict(.answered, "\(forecast.problems.count) problems")
  }

  private func backup() throws -> MeetingVerdict {
    let copy = StoreFiles(work.url.deletingLastPathComponent().appending(path: "copy.sqlite"))
    defer { copy.remove() }
    guard try run(BackupCommand.self, [work.path(), copy.path()]) == 0 else {
      return MeetingVerdict(.refused, "the tool: it is damaged")
    }
    return StoreMoving(self).compare(copy, with: damaged)
  }
}

extension StoreMeeting {
  /// What is wrong with the store that was met, and with nothing of it before. What other programs' triggers
  /// do is told when the store is opened, and without a copy of the model little can be found.
  func newFinding() -> String? {
    guard let now = Self.verdict(work), let finding = now.findings.first else { return nil }
    let then = StoreFiles(work.url.deletingLastPathComponent().appending(path: "then.sqlite"))
    defer { then.remove() }
    try? damaged.copy(to: then)
    guard let before = Self.verdict(then), before.findings.isEmpty, before.note == nil,
      !hasTriggers(then)
    else { return nil }
    return finding.message
  }

  private func hasTriggers(_ files: StoreFiles) -> Bool {
    DamageConnection(files, keepsLog: true).number(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 't*'") > 0
  }

  /// A finding for what contradicts itself, unless the tool tells that something is wrong.
  func verdict(of contradiction: String) -> MeetingVerdict {
    do {
      let verdict = try StoreExamination(work.url, busyTimeout: 0.5).verify()
      if verdict.findings.isEmpty, verdict.note == nil, !hasTriggers(work) {
        return MeetingVerdict(.lie, contradiction)
      }
      return MeetingVerdict(.answered, "told: \(verdict.findings.first?.message ?? "no model")")
    } catch {
      return MeetingVerdict(error)
    }
  }

  private static func verdict(_ files: StoreFiles) -> StoreVerdict? {
    try? StoreExamination(files.url, busyTimeout: 0.5).verify()
  }
}

/// The memory of this process.
enum ProcessMemory {
  /// Lets the peak begin anew.
  static func reset() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// The most that was in memory since then, in megabytes.
  static var peak: Int {
    let data = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first {
      $0.hasPrefix("VmHWM")
    }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }
      .map { $0 / 1_024 } ?? 0
  }
}
