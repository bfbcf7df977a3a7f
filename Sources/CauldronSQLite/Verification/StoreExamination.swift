import CauldronModel
package import CauldronStore
package import Foundation

/// A look at a store's file from outside, with the model that the file itself has; changes nothing.
package struct StoreExamination {
  let file: StoreFile
  /// The seconds to wait for a lock.
  let busyTimeout: Double

  package init(_ url: URL, busyTimeout: Double = 5) {
    file = StoreFile(url)
    self.busyTimeout = busyTimeout
  }

  /// What is wrong with the store.
  /// - Parameters:
  ///   - isQuick: Whether the entries of indexes are not compared with the rows.
  ///   - progress: Is told what is looked at, and how far the whole has come, from 0 to 1.
  /// - Throws: `store.…` where the file cannot be read as a store.
  package func verify(
    isQuick: Bool = false, progress: @escaping (String, Double) -> Void = { _, _ in }
  ) throws -> StoreVerdict {
    try reading { connection, metadata, _ in
      var verification = StoreVerification(connection: connection, metadata: metadata)
      verification.isQuick = isQuick
      verification.progress = progress
      return try verification.verdict()
    }
  }

  /// What SQLite finds wrong with the file itself.
  package func damage() throws -> [StoreFinding] {
    try reading { connection, metadata, _ in
      try StoreVerification(connection: connection, metadata: metadata).damage()
    }
  }

  /// What the store holds.
  /// - Throws: `store.…` where the file cannot be read as a store.
  package func summary() throws -> StoreSummary {
    try reading { connection, metadata, follower in
      try SummaryReader(
        connection: connection, metadata: metadata, file: file, follower: follower
      ).summary()
    }
  }

  /// Reads without locks where nobody writes, so that nothing appears beside the file; again, with
  /// them, where somebody has come meanwhile.
  func reading<Result>(
    _ body: (RowConnection, StoreMetadata, StoreInspector.Follower?) throws -> Result
  ) throws -> Result {
    try file.checkReading()
    do {
      let before = file.state
      let result = Swift.Result { try read(file.isAlone ? .immutable : .readOnly, body: body) }
      if !file.isAlone || file.state == before { return try result.get() }
      return try read(.readOnly, body: body)
    } catch let failure as SQLiteFailure {
      var options = SQLiteStoreOptions(busyTimeout: busyTimeout)
      options.readOnly = true
      throw FailureReport(failure, file, options).opening()
    }
  }

  private func read<Result>(
    _ mode: Connection.Mode,
    body: (RowConnection, StoreMetadata, StoreInspector.Follower?) throws -> Result
  ) throws -> Result {
    let connection = try RowConnection(
      path: file.path, mode: mode, busyTimeout: busyTimeout)
    try connection.configureDefences()
    guard
      case .store(let metadata, let follower) = try StoreInspector.describing(connection, of: file)
    else {
      throw file.error(
        "it has no tables yet.", hint: "A program that opens it with a model makes them.")
    }
    try checkAge(connection)
    return try body(connection, metadata, follower)
  }
}

extension StoreExamination {
  /// The version of the rule by which entities are hashed.
  private static let knownHashes = 3

  /// Refuses a store whose hashes follow a rule that came later.
  private func checkAge(_ connection: Connection) throws {
    var list = try MetadataList(connection)
    guard let version = list.integer("NSStoreModelVersionHashesVersion"),
      version > Self.knownHashes
    else { return }
    throw CauldronError(
      .storeUnsupported,
      "Cannot open store \"\(file.path)\": its version hashes are of version \(version), and those of"
        + " version \(Self.knownHashes) are known.", hint: "Use a newer version of this tool."
    ).with { $0.path = file.path }
  }
}

extension StoreFile {
  /// Whether nothing of a connection lies beside the file.
  fileprivate var isAlone: Bool {
    ["-wal", "-shm", "-journal"].allSatisfy { access(path + $0, F_OK) != 0 }
  }

  /// What changes when somebody writes.
  fileprivate struct State: Equatable {
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
    let isAlone: Bool
  }

  fileprivate var state: State? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return State(
      size: Int64(status.st_size), seconds: Int(status.st_mtim.tv_sec),
      nanoseconds: Int(status.st_mtim.tv_nsec), isAlone: isAlone)
  }

  /// Checks that there is a file, and that it may be read.
  fileprivate func checkReading() throws {
    try checkPlace(createDirectory: false)
    if let number = systemError {
      throw error(
        number == ENOENT ? "there is no such file." : "it cannot be read (\(Self.text(number))).",
        hint: number == ENOENT ? "Check the path." : "Run it as a user who may read the file.")
    }
    guard size != 0 else {
      throw error(
        "the file is empty.", hint: "A program that opens it with a model makes a store of it.")
    }
  }
}
