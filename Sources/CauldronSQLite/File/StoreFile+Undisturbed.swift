internal import CSQLite
import CauldronModel
import Foundation

extension StoreFile {
  /// What shows that somebody has written to the file, or beside it.
  private struct Stamp: Equatable {
    let identity: Identity?
    let sizes: [Int?]
    /// When the file and its log were written, in nanoseconds.
    let times: [Int]
  }

  private var stamp: Stamp {
    Stamp(
      identity: identity, sizes: [size, logSize, journalSize],
      times: [Self.time(of: path), Self.time(of: path + "-wal")])
  }

  private static func time(of path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
  }

  /// Looks at the file again where it seems damaged, or no store, while somebody else writes to it.
  ///
  /// A file without log and journal is read without locks, and another process may be creating it, or copying
  /// it to its place.
  /// - Parameters:
  ///   - seconds: How long somebody else is waited for.
  ///   - body: Leaves nothing behind where it throws.
  /// - Throws: What `body` throws; where the file seems damaged and is written to all the time, that.
  func undisturbed<Result>(within seconds: Double, _ body: () throws -> Result) throws -> Result {
    let start = ContinuousClock.now
    while true {
      let before = stamp
      do {
        return try body()
      } catch {
        guard let seeming = Self.seeming(error) else { throw error }
        // Who writes takes a breath now and then.
        usleep(20_000)
        guard stamp != before else { throw error }
        let isPatient = ContinuousClock.now - start < .seconds(seconds)
        switch seeming {
        // Other programs write to their own databases all the time.
        case .foreign: if ContinuousClock.now - start > .milliseconds(300) { throw error }
        case .damaged: if !isPatient { throw busy }
        }
      }
    }
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
