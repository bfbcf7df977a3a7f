import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation
import Logging
import TestSupport

/// A stack for imports of what is seldom, in memory or in a file.
struct Depot {
  let stack: Stack
  let directory: TemporaryDirectory?

  init(inFile: Bool = false, log: StatementLog? = nil) throws {
    directory = inFile ? try TemporaryDirectory() : nil
    var configuration = StackConfiguration()
    if let log {
      configuration.logger = Logger(label: "depot") { _ in log }
      configuration.logger.logLevel = .trace
    }
    stack = try Stack(
      storeURL: directory?.file("depot.sqlite"), model: Self.model(), configuration: configuration)
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      Climber.self, Sticker.self, Post.self, Seat.self, Folder.self, Writer.self, Volume.self,
      Branch.self,
      Purchase.self, PurchaseLine.self, Chief.self, Venture.self, Errand.self, Remark.self,
      Holder.self, Badge.self, Stamped.self, Titled.self, Awakened.self, Saved.self, Realm.self,
      Ticket.self,
      Team.self, Player.self, Leaf.self, Slip.self, SlipLine.self, Shy.self, Busy.self,
      Pallet.self, Saver.self, Nester.self, Land.self, Province.self, Tongue.self, Town.self,
      Note.self, Watched.self)
  }

  @discardableResult
  func load<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type, _ options: ImportOptions = ImportOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await stack.importJSON(
      Data(json.utf8), as: type, options: options, progress: progress)
  }

  /// What a block makes of the objects in the store.
  func read<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try await stack.save { try block($0) }
  }

  /// The objects of an entity, each as a text, in the order of these.
  func all<Entity: ManagedEntity>(
    _ type: Entity.Type, _ text: @escaping @Sendable (Entity) -> String
  ) async throws -> [String] {
    try await read { context in try Entity.findAll(in: context).map(text).sorted() }
  }

  func count<Entity: ManagedEntity>(_ type: Entity.Type) async throws -> Int {
    try await read { try Entity.count(in: $0) }
  }

  /// What a load throws; nil where it does not.
  func failure<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type, _ options: ImportOptions
  ) async throws -> CauldronError? {
    do {
      try await load(json, as: type, options)
      return nil
    } catch let error as CauldronError { return error }
  }
}

/// The text of a list of records.
func list(_ records: [String]) -> String { "[\(records.joined(separator: ","))]" }

extension ImportOptions {
  /// Options by which one relationship is imported otherwise.
  static func relationship(
    _ entity: String, _ name: String, _ relationship: RelationshipImport, commitEvery: Int? = nil
  ) -> ImportOptions {
    ImportOptions(
      commitEvery: commitEvery,
      mappings: [entity: .init(relationships: [name: relationship])])
  }
}
