import Foundation

/// What the operating system says about the file.
extension StoreFile {
  /// What an error number means, such as "Permission denied".
  static func text(_ number: Int32) -> String { String(cString: strerror(number)) }

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
