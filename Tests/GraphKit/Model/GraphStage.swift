import Cauldron
import Dispatch
import Foundation
import Logging

/// A stack in a directory of its own, which goes away with the last stage on it.
final class GraphStage: Sendable {
  private final class Folder: Sendable {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory
        .appending(path: "graph-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  let stack: Stack
  private let folder: Folder

  convenience init() throws { try self.init(Folder()) }

  private init(_ folder: Folder) throws {
    self.folder = folder
    var configuration = StackConfiguration()
    configuration.mainQueue = DispatchQueue(label: "graph main")
    configuration.synchronous = .normal
    configuration.logger = Logger(label: "graph") { _ in SwiftLogNoOpLogHandler() }
    stack = try Stack(
      storeURL: Self.file(folder), model: Graph.model(), configuration: configuration)
  }

  var root: ManagedObjectContext { stack.rootSavingContext }
  var main: ManagedObjectContext { stack.defaultContext }
  var url: URL { Self.file(folder) }

  private static func file(_ folder: Folder) -> URL { folder.url.appending(path: "store.sqlite") }

  func child(_ name: String, of parent: ManagedObjectContext) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: parent, name: name)
  }

  /// Closes the stack and opens the same file in another one.
  func reopened() throws -> GraphStage {
    try stack.close()
    return try GraphStage(folder)
  }
}
