import Foundation

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
  /// Nobody of this process may have it open. Another process that has will be told that its file is
  /// gone.
  @discardableResult
  func setAside() throws -> URL {
    let target = try freeSibling()
    let logs = ["-wal", "-journal"]
    for ending in logs { try link(path + ending, target.path + ending) }
    try move(to: target.url)
    for ending in logs + ["-shm"] { unlink(path + ending) }
    return target.url
  }

  /// Gives a log a second name before the store moves, so that there is always one beside it.
  private func link(_ log: String, _ other: String) throws {
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
      let isTaken = ["", "-wal", "-journal"].contains { access(candidate.path + $0, F_OK) == 0 }
      if !isTaken { return candidate }
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
