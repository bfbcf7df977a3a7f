import CauldronSQLite
public import Foundation

/// What is done with stores that no stack of this process has open.
extension Stack {
  /// Copies a store as it is committed; it may be in use. The copy is one file, and has the store's UUID.
  ///
  /// ```swift
  /// try Stack.copyStore(at: url, to: URL(filePath: "copy.sqlite"))
  /// ```
  /// - Parameters:
  ///   - url: The store's file.
  ///   - target: Where there is no file yet.
  /// - Throws: `store.cannotOpen` where there is no store, or a file or a log at the target; `store.…` where a file
  ///   cannot be read or written.
  /// - Complexity: Proportional to the size of the store.
  public static func copyStore(at url: URL, to target: URL) throws {
    try StoreRelocation(of: url).copy(to: target)
  }

  /// Gives a store another place in the same file system.
  /// - Parameters:
  ///   - url: The store's file.
  ///   - target: Where there is no file yet.
  /// - Throws: `store.alreadyOpen` where a stack of this process has it open, `store.busy` where another
  ///   process has; `store.cannotOpen` where there is no store, or a file or a log at the target.
  public static func moveStore(at url: URL, to target: URL) throws {
    try StoreRelocation(of: url).move(to: target)
  }

  /// Gives a store the content of another one, in one transaction: an interruption leaves the present content or
  /// the new one. The store need not be there yet, and the source stays as it is.
  /// - Parameters:
  ///   - url: The file that is replaced.
  ///   - source: A store, which may be in use.
  /// - Throws: `store.alreadyOpen` where a stack of this process has it open; `store.cannotOpen` where there
  ///   is no store at the source, `store.corrupt` where that is damaged, `store.foreignDatabase` where a database at
  ///   the URL is no store; `store.…` where the file cannot be written.
  /// - Complexity: Proportional to the size of the source.
  public static func replaceStore(at url: URL, withStoreAt source: URL) throws {
    try StoreRelocation(of: url).replace(with: source)
  }

  /// Deletes a store with its log. Where there is none, nothing is done. Copies that lie beside it stay.
  /// - Throws: `store.alreadyOpen` where a stack of this process has it open, `store.busy` where another
  ///   process has; `store.notADatabase`, `store.foreignDatabase` of a file that is no store.
  public static func destroyStore(at url: URL) throws {
    try StoreRelocation(of: url).destroy()
  }

  /// The metadata of a store, which may be in use: `NSStoreUUID`, `NSStoreModelVersionHashes` and the like,
  /// and what programs have added.
  /// - Throws: `store.cannotOpen` where there is no store; `store.notADatabase`, `store.foreignDatabase`;
  ///   `store.unsupported` where they are too large or too deep.
  public static func metadata(ofStoreAt url: URL) throws -> [String: Any] {
    try OutsideMetadata(of: url).read()
  }

  /// Writes the program's entries into the metadata of a store, which may be in use.
  ///
  /// ```swift
  /// var metadata = try Stack.metadata(ofStoreAt: url)
  /// metadata["seeded"] = true
  /// try Stack.setMetadata(metadata, forStoreAt: url)
  /// ```
  /// - Parameters:
  ///   - metadata: All entries of the program from now on: values of property lists. Those whose names begin
  ///     with `NS`, `_NS` or `Cauldron` are the store's, and stay as they are.
  ///   - url: The store's file.
  /// - Throws: `store.unsupported` where a value is none of a property list, or all are too large or too deep;
  ///   `store.readOnly`, `store.busy`;
  ///   as ``metadata(ofStoreAt:)``.
  public static func setMetadata(_ metadata: [String: Any], forStoreAt url: URL) throws {
    try OutsideMetadata(of: url).write(metadata)
  }
}
