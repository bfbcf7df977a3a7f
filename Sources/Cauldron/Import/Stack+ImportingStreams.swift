public import CauldronGraph
public import CauldronImport
import CauldronModel
public import Foundation

extension Stack {
  /// Imports the records of a stream of bytes, such as the body of a response, and saves them to the store;
  /// see ``importJSON(contentsOf:as:root:options:progress:)``.
  ///
  /// The bytes go to a file first, which is gone afterwards: so memory does not grow with them, and nothing is
  /// imported of a stream that ends early.
  /// - Parameter pieces: The bytes, cut anywhere.
  /// - Throws: As the form with a file; what the stream throws.
  @discardableResult
  public func importJSON<Pieces: AsyncSequence, Entity: ManagedEntity>(
    from pieces: Pieces, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport where Pieces.Element == Data {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("cauldron-import-\(UUID().uuidString).json")
    // Nobody else reads what may be private.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CauldronError(
        .importIO, "Cannot create \(url.path) to keep what is imported.",
        hint: "Check the rights to the folder for temporary files.")
    }
    defer { try? FileManager.default.removeItem(at: url) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      for try await piece in pieces {
        try Task.checkCancellation()
        try file.write(contentsOf: piece)
      }
      try file.close()
    } catch {
      try? file.close()
      throw error
    }
    return try await importJSON(
      contentsOf: url, as: type, root: root, options: options, progress: progress)
  }
}
