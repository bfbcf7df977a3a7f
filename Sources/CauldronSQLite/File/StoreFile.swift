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
