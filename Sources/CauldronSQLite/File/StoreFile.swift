internal import CSQLite
internal import CauldronModel
import Foundation

/// The file of a store: where it is, what it is called in messages, and which one it is.
struct StoreFile: Sendable {
  /// Tells two paths of one file from two files.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  /// SQLite takes 512 bytes, and adds the ending of a journal
  /// (https://www.sqlite.org/c3ref/vfs.html).
  static let longestPath = 504

  let url: URL
  /// The path; of what is no file, the whole URL.
  let path: String

  init(_ url: URL) {
    self.url = url
    path = url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString
  }

  /// Checks that the path can be a store's, and makes its directory if that is asked for.
  func checkPlace(createDirectory: Bool) throws {
    guard url.isFileURL else {
      throw error("it is not a file URL.", hint: "Make one with URL(filePath:).")
    }
    guard !path.utf8.contains(0) else { throw error("its path contains a NUL.") }
    try checkCompanions()
    var isDirectory: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
      if isDirectory.boolValue { throw error("it is a directory.") }
      return
    }
    let parent = url.deletingLastPathComponent().path(percentEncoded: false)
    let directory = parent.count > 1 && parent.hasSuffix("/") ? String(parent.dropLast()) : parent
    if FileManager.default.fileExists(atPath: directory, isDirectory: &isDirectory) {
      if isDirectory.boolValue { return }
      throw error("\"\(directory)\" is not a directory.")
    }
    guard createDirectory else {
      throw error(
        "directory \"\(directory)\" does not exist.",
        hint: "Create it, or set createDirectory in the configuration.")
    }
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch let problem {
      let cause = (problem as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      let reason =
        cause?.domain == NSPOSIXErrorDomain
        ? Self.text(Int32(clamping: cause?.code ?? 0)) : problem.localizedDescription
      throw error("directory \"\(directory)\" cannot be created (\(reason)).")
    }
  }

  /// Checks that no directory stands where SQLite keeps a log: it would wait ten seconds for that, several times.
  private func checkCompanions() throws {
    for companion in companions {
      var isDirectory: ObjCBool = false
      guard FileManager.default.fileExists(atPath: companion, isDirectory: &isDirectory),
        isDirectory.boolValue
      else { continue }
      throw error("\"\(companion)\" is a directory.", hint: "Move it away.")
    }
  }

  /// Where SQLite keeps what belongs to the file: the log, its index, and a journal.
  private var companions: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  /// A file that keeps a store from being put here: at the path itself, also a link that leads nowhere, or beside it.
  /// SQLite would read the log that another store has left into the one that comes.
  var fileInTheWay: String? {
    ([path] + companions).first { path in
      var status = stat()
      return lstat(path, &status) == 0
    }
  }

  /// Which file it is; nil while there is none.
  var identity: Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// The size in bytes; nil while there is no file.
  var size: Int? { Self.size(of: path) }

  /// Whether a write-ahead log lies beside the file.
  var hasLog: Bool { logSize > 0 }

  /// The bytes of the write-ahead log; 0 where there is none.
  var logSize: Int { Self.size(of: path + "-wal") ?? 0 }

  /// Whether an interrupted transaction must be rolled back before the file can be read.
  var hasJournal: Bool { (Self.size(of: path + "-journal") ?? 0) > 0 }

  private static func size(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// What to do about a damaged file; `.recover` is a command of SQLite's own shell
  /// (https://www.sqlite.org/recovery.html).
  var rescue: String {
    "Restore a copy with `cauldron restore`, or try `.recover` of the sqlite3 program."
  }

  /// An error about opening, with the whole path.
  func error(_ what: String, hint: String = "") -> CauldronError {
    CauldronError(.storeCannotOpen, "Cannot open store \"\(path)\": \(what)", hint: hint)
      .with { $0.path = path }
  }
}

/// What the operating system says about the file.
extension StoreFile {
  /// What an error number means, such as "Permission denied".
  static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// What Foundation has met when it could not read or write a file.
  static func reason(of error: any Error) -> String {
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    return cause.map { text(Int32(clamping: $0.code)) } ?? "no reason given"
  }

  /// The number of the error that looking at the file gives; nil where it is there and may be read.
  var systemError: Int32? {
    if access(path, R_OK) == 0 { return nil }
    let found = errno
    // A file that is not there would be made, if only that were allowed.
    if found == ENOENT, access(directory, F_OK) == 0, access(directory, W_OK) != 0 { return errno }
    return found
  }

  /// Why the file, or what SQLite needs beside it, cannot be written; nil where it can.
  var writingObstacle: String? {
    if access(path, W_OK) != 0 { return "the file cannot be written (\(Self.text(errno)))" }
    guard access(directory, W_OK) != 0 else { return nil }
    return "its directory cannot be written (\(Self.text(errno)))"
  }

  private var directory: String { url.deletingLastPathComponent().path(percentEncoded: false) }
}

/// The files beside a store.
extension StoreFile {
  /// A file beside the store: `people.backup.sqlite` for `people.sqlite`.
  func sibling(_ what: String) -> URL {
    let ending = url.pathExtension
    let name = url.deletingPathExtension().appendingPathExtension(what)
    return ending.isEmpty ? name : name.appendingPathExtension(ending)
  }

  /// Whether a file for a write-ahead log lies beside the store, be it empty: then somebody may have it
  /// open, or was interrupted.
  var hasSpaceForLog: Bool { hasJournal || access(path + "-wal", F_OK) == 0 }

  /// Waits until the file is on the disk.
  func synchronize() throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw systemFailure("synchronize") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw systemFailure("synchronize") }
  }

  /// Moves the file in one go, in place of one that is there.
  func move(to target: URL) throws {
    guard rename(path, StoreFile(target).path) == 0 else { throw systemFailure("move") }
    StoreFile(target).synchronizeDirectory()
  }

  /// Moves the store under another name, with the log that belongs to it: `people.set-aside.sqlite`, or
  /// `people.set-aside-2.sqlite`.
  ///
  /// This process must not have it open. Another process that has will be told that its file is
  /// gone.
  @discardableResult
  func setAside() throws -> URL {
    let target = try freeSibling()
    let logs = ["-wal", "-journal"]
    for ending in logs { try link(path + ending, to: target.path + ending) }
    try move(to: target.url)
    for ending in logs + ["-shm"] { unlink(path + ending) }
    return target.url
  }

  /// Gives a log a second name before the store moves, so that there is always one beside it.
  private func link(_ log: String, to other: String) throws {
    guard access(log, F_OK) == 0, Foundation.link(log, other) != 0 else { return }
    // Not every file system knows two names of one file.
    do {
      try FileManager.default.copyItem(atPath: log, toPath: other)
    } catch {
      throw self.error("its log cannot be copied (\(error.localizedDescription)).")
    }
  }

  private func freeSibling() throws -> StoreFile {
    for number in 1..<10_000 {
      let candidate = StoreFile(sibling(number == 1 ? "set-aside" : "set-aside-\(number)"))
      if candidate.fileInTheWay == nil { return candidate }
    }
    throw error("too many stores were set aside beside it.")
  }

  func synchronizeDirectory() {
    let directory = url.deletingLastPathComponent().path(percentEncoded: false)
    let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func systemFailure(_ verb: String) -> any Error {
    error("cannot \(verb) it (\(Self.text(errno))).")
  }
}

extension StoreFile {
  /// Shows by comparison whether a file was written to, or replaced by another one.
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

  /// Looks at the file again where it seems damaged, or no store, while another process writes to
  /// it.
  ///
  /// A file without log and journal is read without locks, and another process may be creating it, or copying
  /// it to its place.
  /// - Parameters:
  ///   - seconds: How long the other process is waited for; at least 0.3 s, and at most 10 s.
  ///   - body: Leaves nothing behind where it throws.
  /// - Throws: What `body` throws; `store.cannotOpen` where the file seems damaged and is written
  ///   to all the time.
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
        // A writer pauses now and then.
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

  /// Waits until the file, or its log or journal, was not written to for a second; at most ten.
  /// - Returns: Whether it was written to, so that it is to be looked at again.
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
