import CauldronModel
import Foundation

/// A store that a program brings along, and that its own store begins as.
struct StoreSeed {
  private let seed: StoreFile
  private let file: StoreFile

  init(_ seed: URL, for file: StoreFile) {
    self.seed = StoreFile(seed)
    self.file = file
  }

  /// Copies the seed to the place of the store, unless something is there.
  ///
  /// The copy is made beside it and gets its name when it is whole and on the disk; whoever is
  /// quicker wins, be it another process.
  /// - Throws: What keeps the seed from being read, or the copy from being written.
  func plant() throws {
    guard isFree else { return }
    try checkSeed()
    // What an old store has left would be taken for the log of the new one.
    guard !file.hasSpaceForLog || !isFree else {
      throw file.error(
        "there is no store, but a log of one lies beside it.",
        hint: "Move \"\(file.path)-wal\" and \"\(file.path)-journal\" away.")
    }
    let part = StoreFile(file.sibling("seed-\(UUID().uuidString)"))
    defer { unlink(part.path) }
    try StoreBackup(of: seed.url, at: part.url).take()
    try part.name(file)
  }

  private var isFree: Bool { access(file.path, F_OK) != 0 }

  private func checkSeed() throws {
    do {
      let inspector = StoreInspector(file: seed, busyTimeout: 5, isReadOnly: true)
      if case .store = try inspector.inspect() { return }
    } catch let failure as SQLiteFailure {
      throw FailureReport(failure, seed, SQLiteStoreOptions()).opening()
    }
    throw seed.error("there is no store, from which \"\(file.path)\" shall begin.")
  }
}

extension StoreFile {
  /// Gives the file a second name, unless that is taken.
  fileprivate func name(_ other: StoreFile) throws {
    if Foundation.link(path, other.path) != 0 {
      if errno == EEXIST { return }
      // Not every file system knows two names of one file; there the last step is not guarded.
      guard access(other.path, F_OK) != 0 else { return }
      return try move(to: other.url)
    }
    other.synchronizeDirectory()
  }
}
