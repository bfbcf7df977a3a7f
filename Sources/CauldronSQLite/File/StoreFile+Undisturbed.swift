internal import CSQLite
import CauldronModel
import Foundation

extension StoreFile {
  /// What shows that somebody has written to a file, or put another one in its place.
  private struct Stamp: Equatable {
    let identity: Identity
    let size: Int
    /// When it was written, in nanoseconds since 1970.
    let time: Int

    /// Nil where there is no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
      size = Int(status.st_size)
      time = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
    }
  }

  /// Of the file, its log and its journal.
  private var stamps: [Stamp?] { ["", "-wal", "-journal"].map { Stamp(path + $0) } }

  /// Looks at the file again where it seems damaged, or no store, while somebody else writes to it.
  ///
  /// A file without log and journal is read without locks, and another process may be creating it, or copying
  /// it to its place.
  /// - Parameters:
  ///   - seconds: How long somebody else is waited for; at least 0.3 s, and at most 10 s.
  ///   - body: Leaves nothing behind where it throws.
  /// - Throws: What `body` throws; where the file seems damaged and is written to all the time, that.
  func undisturbed<Result>(within seconds: Double, _ body: () throws -> Result) throws -> Result {
    let start = ContinuousClock.now
    let patience = Duration.seconds(min(max(BusyTimeout.bounded(seconds), 0.3), 10))
    var looks = 0
    while true {
      looks += 1
      let before = stamps
      do {
        return try body()
      } catch {
        guard let seeming = Self.seeming(error) else { throw error }
        // Who writes takes a breath now and then.
        usleep(20_000)
        guard stamps != before else { throw error }
        switch seeming {
        // Other programs write to their own databases all the time.
        case .foreign: if looks == 10 { throw error }
        case .damaged: if ContinuousClock.now - start > patience { throw busy }
        }
      }
    }
  }

  /// Waits until nobody has written to the file, or beside it, for a second; at most ten.
  /// - Returns: Whether somebody had, so that it is to be looked at again.
  func waitUntilQuiet() -> Bool {
    let start = ContinuousClock.now
    var waited = false
    while ContinuousClock.now - start < .seconds(10) {
      let written = Double(stamps.compactMap { $0?.time }.max() ?? 0) / 1_000_000_000
      // A file of the future was written by another clock.
      if abs(Date().timeIntervalSince1970 - written) > 1 { break }
      waited = true
      usleep(50_000)
    }
    return waited
  }

  private enum Seeming { case damaged, foreign }

  private static func seeming(_ error: any Error) -> Seeming? {
    switch error {
    case let failure as SQLiteFailure:
      [SQLITE_CORRUPT, SQLITE_NOTADB].contains(failure.primary) ? .damaged : nil
    case let error as CauldronError:
      switch error.code {
      case .storeCorrupt, .storeNotADatabase: .damaged
      case .storeForeignDatabase: .foreign
      default: nil
      }
    default: nil
    }
  }

  private var busy: CauldronError {
    error(
      "it seems damaged, or no database, and somebody is writing to it.",
      hint: "Try again when that is done.")
  }
}
