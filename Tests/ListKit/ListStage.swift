import Cauldron
import Dispatch
import Foundation
import Logging

/// A stack in a directory of its own, which goes away with it.
final class ListStage: Sendable {
  let stack: Stack
  let url: URL
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "lists-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    url = folder.appending(path: "store.sqlite")
    var configuration = StackConfiguration()
    configuration.mainQueue = DispatchQueue(label: "lists main")
    configuration.synchronous = .normal
    configuration.logger = Logger(label: "lists") { _ in SwiftLogNoOpLogHandler() }
    stack = try Stack(storeURL: url, model: ListModel.model(), configuration: configuration)
  }

  deinit {
    try? stack.close()
    try? FileManager.default.removeItem(at: folder)
  }
}
