import Cauldron
import Foundation

/// What imports keep in memory at most, each in a process of its own.
enum ImportMemory {
  static func contests(_ settings: Settings) -> [Contest] {
    let count = settings.size(1_000_000)
    return [
      contest("memory of an import, per new record of \(grouped(count))", .imported, count, 400),
      contest(
        "memory of an import, per unchanged record of \(grouped(count))", .importedAgain, count, 100
      ),
      contest(
        "memory of an import in steps, per new record of \(grouped(count))", .importedInSteps,
        count,
        100),
    ]
  }

  private static func contest(
    _ name: String, _ kind: MemoryKind, _ count: Int, _ limit: Double
  ) -> Contest {
    Contest(name) { _ in
      let url = try Scratch.file()
      func figure(_ count: Int) throws -> MemoryFigure {
        try ChildProcess.run(
          ["memory", kind.rawValue, Contender.ours.rawValue, url.path, "\(count)"],
          as: MemoryFigure.self)
      }
      let whole = try figure(count)
      Scratch.remove(url)
      let half = try figure(count / 2)
      Scratch.remove(url)
      // What is there however many records are imported, such as the pages of the store, is in both.
      let growth = whole.bytes * Double(count) - half.bytes * Double(count / 2)
      return [
        Outcome(
          name: name, targets: [Target(.bytes, limit)],
          note: "what the second half needs more at most; all of it \(Int(whole.bytes)) bytes each",
          bytes: growth / Double(count - count / 2), peakRSS: whole.peak)
      ]
    }
  }

  /// Of an import of what is not there yet.
  static func ofNew(_ url: URL, _ count: Int, commitEvery: Int? = nil) throws -> MemoryFigure {
    let file = try MemberFile(count)
    let stack = try Contest.openMembers(url)
    return try figure(count) {
      _ = try Contest.imported(file, stack, ImportOptions(commitEvery: commitEvery))
    }
  }

  /// Of an import of what is there already; what was there before is made in steps.
  static func ofUnchanged(_ url: URL, _ count: Int) throws -> MemoryFigure {
    let file = try MemberFile(count)
    let stack = try Contest.openMembers(url)
    _ = try Contest.imported(file, stack, ImportOptions(commitEvery: 5_000))
    return try figure(count) { _ = try Contest.imported(file, stack) }
  }

  /// What is resident at most while the work is done, over what was resident before it.
  private static func figure(_ count: Int, _ work: () throws -> Void) throws -> MemoryFigure {
    Memory.forgetPeak()
    let before = Memory.resident()
    try work()
    let peak = Memory.peakSince()
    return MemoryFigure(bytes: Double(peak - before) / Double(max(1, count)), peak: Memory.peak())
  }
}
