internal import CSQLite

/// Keeps the file of the write-ahead log a little longer than its content.
///
/// Until its first checkpoint SQLite makes the log longer with each commit. A journaling file
/// system then writes the new length to disk as well, and waits: a small commit takes about twice
/// as long as one that overwrites. Therefore room for several is made at once. It is filled with
/// zeros, which are no frame: a frame needs a page number and checksums
/// (https://www.sqlite.org/fileformat2.html#walformat).
final class LogSpace {
  /// After how many frames a commit brings the log into the file; SQLite's own number.
  private static let checkpointLimit = 1_000

  private let connection: Connection
  /// How many frames the log had after the last commit.
  private var frames = 0
  /// How many of them the last commit has added; 0 where that is not known.
  private var added = 0
  /// The length of the log's file as far as it is known.
  private var length: Int64 = 0

  init(_ connection: Connection) {
    self.connection = connection
    // There is one hook, and SQLite's own is the one that checkpoints; so this one does that, too
    // (https://www.sqlite.org/c3ref/wal_hook.html).
    sqlite3_wal_hook(
      connection.handle,
      { context, handle, name, count in
        if let context {
          Unmanaged<LogSpace>.fromOpaque(context).takeUnretainedValue().note(Int(count))
        }
        if count >= LogSpace.checkpointLimit { sqlite3_wal_checkpoint(handle, name) }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_wal_hook(connection.handle, nil, nil) }

  private func note(_ count: Int) {
    added = frames > 0 ? max(0, count - frames) : 0
    // A log that has begun anew may have been cut off before.
    if count <= frames { length = 0 }
    frames = count
  }

  /// Makes room for this commit and some more, if commits are small and there is none.
  ///
  /// Must be called in a write transaction that has written nothing yet: then nobody else writes
  /// into the log, and nothing lies behind the end of its file. Where it fails nothing is lost.
  func makeRoom() {
    guard added > 0, frames < Self.checkpointLimit, let size = connection.frameSize else { return }
    let last = Int64(added) * size
    let needed = 32 + Int64(frames) * size + last
    guard last <= 1 << 16, needed > length, let log,
      let methods = log.pointee.pMethods?.pointee,
      methods.xFileSize(log, &length) == SQLITE_OK, needed > length
    else { return }
    // In pieces, because SQLite writes less than 128 KiB at once.
    let piece = [UInt8](repeating: 0, count: 1 << 16)
    let end = length + min(16 * last, 1 << 18)
    while length < end {
      let count = min(Int64(piece.count), end - length)
      guard methods.xWrite(log, piece, Int32(count), length) == SQLITE_OK else { return }
      length += count
    }
  }
}

extension LogSpace {
  /// Cuts the log off behind the last commit that counts; needs no room on the disk.
  ///
  /// Must be called in a write transaction that has written nothing: then nobody reads or writes there.
  func cut() throws {
    guard let frames = committedFrames, let size = connection.frameSize,
      let log, let methods = log.pointee.pMethods?.pointee
    else { throw SQLiteFailure(code: SQLITE_IOERR, message: "the log cannot be looked at") }
    length = 0
    for code in [
      methods.xTruncate(log, 32 + frames * size), methods.xSync(log, SQLITE_SYNC_NORMAL),
    ] where code != SQLITE_OK {
      throw SQLiteFailure(code: code, message: "the log cannot be cut off")
    }
  }

  /// How many frames of the log count, as all connections see it
  /// (https://www.sqlite.org/walformat.html#the_wal_index_file_format); nil where that cannot be read.
  private var committedFrames: Int64? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        == SQLITE_OK,
      let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2
    else { return nil }
    var region: UnsafeMutableRawPointer?
    // The first 32 KiB, which are mapped for as long as there is a log.
    guard methods.xShmMap(file, 0, 1 << 15, 0, &region) == SQLITE_OK, let region else { return nil }
    return Int64(region.load(fromByteOffset: 16, as: UInt32.self))
  }

  /// The file of the log, for a connection that writes one.
  private var log: UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
    return code == SQLITE_OK ? file : nil
  }
}
