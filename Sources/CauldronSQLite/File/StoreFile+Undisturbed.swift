internal import CSQLite
import CauldronModel
import Foundation

extension StoreFile {
  /// What shows that somebody has written to the file, or beside it.
  private struct Stamp: Equatable {
    let sizes: [Int?]
    let seconds: Int
    let nanoseconds: Int
  }

  private var stamp: Stamp {
    var status = stat()
    if stat(path, &status) != 0 { status = stat() }
    return Stamp(
      sizes: [size, logSize, journalSize], seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }

  /// Looks at the file again where it seemed damaged, or no store, while somebody else wrote to it.
  ///
  /// A file without log and journal is read without locks, and another process may be creating it.
  /// - Parameter body: Leaves nothing behind where it throws.
  func undisturbed<Result>(_ body: () throws -> Result) throws -> Result {
    for pause in [1, 10, 50, 200] as [UInt32] {
      let before = stamp
      do {
        return try body()
      } catch {
        guard Self.isOfContent(error), stamp != before else { throw error }
        usleep(pause * 1_000)
      }
    }
    return try body()
  }

  private static func isOfContent(_ error: any Error) -> Bool {
    switch error {
    case let failure as SQLiteFailure: [SQLITE_CORRUPT, SQLITE_NOTADB].contains(failure.primary)
    case let error as CauldronError:
      [.storeCorrupt, .storeNotADatabase, .storeForeignDatabase].contains(error.code)
    default: false
    }
  }
}
