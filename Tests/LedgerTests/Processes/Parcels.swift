import Cauldron
import Dispatch
import Foundation
import Logging

/// What two processes have in common: the program beside the tests describes the same entity.
enum Parcels {
  /// Opens a store of parcels.
  static func makeStack(_ url: URL) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "parcels") { _ in SwiftLogNoOpLogHandler() }
    configuration.mainQueue = DispatchQueue(label: "parcels main")
    configuration.busyTimeout = 30
    let parcel = EntityDescription(
      name: "Parcel",
      properties: [
        .attribute(AttributeDescription(name: "number", type: .integer64)),
        .attribute(AttributeDescription(name: "sender", type: .string)),
      ])
    return try Stack(
      storeURL: url, model: ManagedObjectModel(entities: [parcel], name: "Parcels"),
      configuration: configuration)
  }

  /// All of them, by their senders.
  static var request: FetchRequest<ManagedObject> {
    var request = FetchRequest<ManagedObject>(entityName: "Parcel")
    request.sortKeys = [SortKey("sender")]
    return request
  }

  /// Makes one with a number and a sender.
  @discardableResult static func insert(
    _ number: Int, _ sender: String, in context: LocalContext
  ) throws -> ManagedObject {
    let parcel = try context.insertNewObject(forEntityName: "Parcel")
    try parcel.setValue(number, forKey: "number")
    try parcel.setValue(sender, forKey: "sender")
    return parcel
  }
}
