import Cauldron
import CauldronGraph
import CauldronLedger
import CauldronModel
import Foundation

/// An entity with attributes of types that no JSON has.
@Entity final class Parcel: ManagedObject {
  enum Color: String, Codable { case red, green }
  enum Size: Int {
    case small = 1
    case large
  }
  struct Address: Codable, Equatable {
    var city: String
    var since: Date?
  }

  @Attribute(.unique) var id: Int
  var color: Color?
  var size: Size = Size.small
  var address: Address?
  var delay: Duration?
  var sent: Date?
  var due: Date = Date.distantPast
  var label: Data?
  var price: Decimal?
  var isPaid: Bool = false
  var weight: Double?
  @Attribute(dateFormat: .pattern("yyyy-MM-dd"), .iso8601) var day: Date?
  @Attribute(transform: ImportTransform { source in Data((source["text"]?.string ?? "").utf8) })
  var bytes: Data?
  @Attribute(transform: ImportTransform { source in source["broken"].map { _ in Parcel.Hole() } })
  var hole: String?

  struct Hole: Sendable {}
}

/// A stack with one kind of object, which is imported from Swift values.
struct Hangar {
  let stack: Stack

  init(_ model: ManagedObjectModel) throws { stack = try Stack(storeURL: nil, model: model) }

  /// Imports records, saves them, and hands out the report.
  @discardableResult
  func load<Entity: ManagedEntity>(
    _ type: Entity.Type, _ options: ImportOptions = ImportOptions(),
    _ records: @escaping @Sendable () -> [Any]
  ) async throws -> ImportReport {
    try await stack.save { context in
      var report: ImportReport?
      try type.importFrom(records(), in: context, options: options) { report = $0 }
      guard let report else { throw CancellationError() }
      return report
    }
  }

  /// Imports JSON.
  @discardableResult
  func load<Entity: ManagedEntity>(
    _ type: Entity.Type, json: String, _ options: ImportOptions = ImportOptions()
  ) async throws -> ImportReport {
    try await stack.importJSON(Data(json.utf8), as: type, options: options)
  }

  /// What a block makes of the only object.
  func only<Entity: ManagedEntity, Value: Sendable>(
    _ type: Entity.Type, _ block: @escaping @Sendable (Entity) throws -> Value
  ) async throws -> Value? {
    try await stack.save { try type.findFirst(in: $0).map(block) }
  }

  func count<Entity: ManagedEntity>(_ type: Entity.Type) async throws -> Int {
    try await stack.save { try type.count(in: $0) }
  }
}
