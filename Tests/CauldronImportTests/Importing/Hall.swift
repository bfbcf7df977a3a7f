import Cauldron
import Foundation
import Logging
import TestSupport

/// A place in a hall: a rank and a number say together which one it is.
@Entity class Place: ManagedObject {
  #Unique<Place>([\.rank, \.number])
  var rank: String?
  var number: Int?
  var guest: String?
  @Relationship(inverse: \Party.places, imported: false) var party: Party?
  @Relationship(inverse: \Party.head, imported: false) var headed: ToMany<Party>
  @Relationship(inverse: \Party.side, imported: false) var beside: ToMany<Party>
}

/// A place with an own mark that is unique by itself.
@Entity final class Lodge: Place {
  @Attribute(.unique) var label: String?
}

/// Guests who sit together.
@Entity final class Party: ManagedObject {
  @Attribute(.unique) var name: String
  @Relationship(members: .replace) var places: ToMany<Place>
  @Relationship var head: Place?
  @Relationship(imported: false) var side: Place?
}

/// What is measured: all kinds of values say together which one it is.
@Entity final class Gauge: ManagedObject {
  enum Kind: String { case heat, rain }
  #Unique<Gauge>([\.day, \.device, \.depth, \.kind, \.site])
  @Attribute(dateFormat: .pattern("yyyy-MM-dd")) var day: Date
  var device: UUID
  var depth: Decimal
  var kind: Kind?
  @Attribute(from: "place.site") var site: Int16
  var value: Double?
}

/// Wants to be imported only where its record says so.
@Entity final class Turn: ManagedObject {
  #Unique<Turn>([\.game, \.step])
  var game: Int
  var step: Int
  var move: String?

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    game == source["game"]?.int && step == source["step"]?.int && source["skip"]?.bool != true
  }

  override func didImport(_ source: ImportSource) throws {
    if let moved = source["moved"]?.int { step = moved }
  }
}

/// A stack with places, in memory or in a file.
struct Hall {
  let stack: Stack
  let directory: TemporaryDirectory?

  init(inFile: Bool = false, log: StatementLog? = nil) throws {
    directory = inFile ? try TemporaryDirectory() : nil
    var configuration = StackConfiguration()
    if let log {
      configuration.logger = Logger(label: "hall") { _ in log }
      configuration.logger.logLevel = .trace
    }
    stack = try Stack(
      storeURL: directory?.file("hall.sqlite"),
      model: ManagedObjectModel(Place.self, Lodge.self, Party.self, Gauge.self, Turn.self),
      configuration: configuration)
  }

  @discardableResult
  func load<Entity: ManagedEntity>(
    _ json: String, as type: Entity.Type = Place.self, _ options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport {
    try await stack.importJSON(Data(json.utf8), as: type, options: options)
  }

  /// The objects of an entity, each as a text, in the order of these.
  func all<Entity: ManagedEntity>(
    _ type: Entity.Type, _ text: @escaping @Sendable (Entity) -> String
  ) async throws -> [String] {
    try await stack.save { context in try Entity.findAll(in: context).map(text).sorted() }
  }

  func places() async throws -> [String] { try await all(Place.self, \.text) }
}

extension Place {
  /// `a1 jack`.
  var text: String { "\(rank ?? "-")\(number.map { "\($0)" } ?? "-") \(guest ?? "-")" }
}
