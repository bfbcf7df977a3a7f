import Cauldron
import Foundation
import Logging

/// The store of the board: a file that stays, or one in a temporary folder.
struct PeopleStore: Sendable {
  private let url: URL
  private let temporaryFolder: URL?

  /// - Parameter path: The file; nil for a temporary one.
  init(path: String?) throws {
    if let path {
      url = URL(filePath: path)
      temporaryFolder = nil
    } else {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "LiveBoard-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      url = folder.appending(path: "people.sqlite")
      temporaryFolder = folder
    }
  }

  /// Opens the store, and fills it where nobody is in it.
  /// - Parameter log: Where the saves are told.
  func open(filledWith count: Int, log: SaveLog) async throws {
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "cauldron") { _ in SaveLogHandler(log) }
    configuration.logger.logLevel = .info
    let stack = try setupStack(storeURL: url, configuration: configuration)
    let isEmpty = try await stack.read { try Person.count(in: $0) == 0 }
    guard isEmpty, count > 0 else { return }
    try await stack.save(named: "First people") { context in
      var maker = PeopleMaker(seed: 1)
      maker.create(count, in: context)
    }
  }

  /// Closes the store, and takes a temporary one away.
  func close() throws {
    try Stack.cleanUp()
    if let temporaryFolder { try FileManager.default.removeItem(at: temporaryFolder) }
  }
}
