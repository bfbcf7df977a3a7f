import ArgumentParser
import Cauldron
import Foundation
import Logging

/// A second process for the tests: adds rows to a store that another process has open, too.
struct Insert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "insert", shouldDisplay: false)

  @Argument var store: String
  @Argument var saves: Int
  @Argument var rows: Int

  func run() async throws {
    let stack = try Self.open(store)
    for save in 0..<saves {
      let ids = try await insert(save, in: .contextWithParent(stack.defaultContext))
      print(ids.map(\.description).joined(separator: "\n"))
    }
    try stack.close()
  }

  /// Opens a store of parcels.
  static func open(_ path: String) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .error
    configuration.busyTimeout = 30
    return try Stack(storeURL: URL(filePath: path), model: model(), configuration: configuration)
  }

  private func insert(
    _ save: Int, in context: ManagedObjectContext
  ) async throws -> [ManagedObjectID] {
    let ids = try await context.perform { [rows] context in
      try (0..<rows).map { _ in
        let parcel = try context.insertNewObject(forEntityName: "Parcel")
        try parcel.setValue(save, forKey: "number")
        try parcel.setValue("second", forKey: "sender")
        return parcel.objectID
      }
    }
    try await context.save(toPersistentStore: true)
    return ids
  }

  /// The test that starts this program describes the same entity.
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Parcel",
          properties: [
            .attribute(AttributeDescription(name: "number", type: .integer64)),
            .attribute(AttributeDescription(name: "sender", type: .string)),
          ])
      ], name: "Parcels")
  }
}
