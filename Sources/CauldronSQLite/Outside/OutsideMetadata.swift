import CauldronModel
package import Foundation

/// The metadata of a store: what `NSStoreUUID` and the like say, and what programs have added.
package struct OutsideMetadata {
  private let file: StoreFile

  /// - Parameter store: Where the store lies; it may be in use.
  package init(of store: URL) { file = StoreFile(store) }

  /// Reads all entries.
  /// - Throws: `store.cannotOpen` where there is no store, `store.notADatabase`, `store.foreignDatabase`.
  package func read() throws -> [String: Any] {
    let (inspector, metadata) = try StoreInspector.store(at: file)
    return try reporting {
      var entries = try entries(inspector.connection())
      entries["NSStoreUUID"] = metadata.identifier
      return entries
    }
  }

  /// Has the program's own entries be these; those of the store itself stay as they are.
  /// - Throws: `store.unsupported` where a value is none of a property list, and what reading throws.
  package func write(_ entries: [String: Any]) throws {
    _ = try StoreInspector.store(at: file)
    try reporting {
      let connection = try Connection(path: file.path, mode: .readWrite, busyTimeout: 5)
      try connection.execute("BEGIN IMMEDIATE")
      let kept = try self.entries(connection).filter { StoreMetadata.isOwn($0.key) }
      let all = entries.filter { !StoreMetadata.isOwn($0.key) }.merging(kept) { $1 }
      guard PropertyListSerialization.propertyList(all, isValidFor: .binary),
        let list = try? PropertyListSerialization.data(
          fromPropertyList: all, format: .binary, options: 0)
      else { throw unsupported("write metadata to", "a value is none of a property list") }
      guard StoreMetadata.isReadable([UInt8](list)) else {
        throw unsupported("write metadata to", "they are too large, or nested too deep")
      }
      try StoreMetadata.replacePropertyList(with: [UInt8](list), connection)
      try connection.execute("COMMIT")
    }
  }

  private func entries(_ connection: Connection) throws -> [String: Any] {
    guard let entries = try StoreMetadata.entries(connection) else {
      throw unsupported("read the metadata of", "they are too large, or nested too deep")
    }
    return entries
  }

  private func unsupported(_ attempt: String, _ reason: String) -> CauldronError {
    CauldronError(
      .storeUnsupported, "Cannot \(attempt) \"\(file.path)\": \(reason).",
      hint: "Use texts, numbers, dates, data, and arrays and dictionaries of them."
    ).with { $0.path = file.path }
  }

  private func reporting<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let failure as SQLiteFailure {
      throw FailureReport(failure, file, SQLiteStoreOptions()).writing()
    }
  }
}
