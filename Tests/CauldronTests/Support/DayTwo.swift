import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A store that is opened with one model after another.
struct DayTwo {
  private let directory: TemporaryDirectory
  let url: URL
  let log = LogCapture()

  init() throws {
    directory = try TemporaryDirectory()
    url = directory.file("people.sqlite")
  }

  /// Opens the store with a model, works with it in a context, saves, and closes.
  @discardableResult
  func open<R>(
    _ entities: [EntityDescription], _ policy: MigrationPolicy = .automatic,
    _ work: (ManagedObjectContext) throws -> R
  ) throws -> R {
    var configuration = StackConfiguration()
    configuration.logger = log.logger
    configuration.migration = policy
    let stack = try Stack(
      storeURL: url, model: ManagedObjectModel(entities: entities), configuration: configuration)
    defer { try? stack.close() }
    let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
    let result = try work(context)
    try context.saveAndWait(toPersistentStore: true)
    return result
  }

  /// What keeps the store from being opened with a model.
  func refusal(
    _ entities: [EntityDescription], _ policy: MigrationPolicy = .automatic
  ) -> CauldronError? {
    #expect(throws: CauldronError.self) { try open(entities, policy) { _ in } }
  }
}

extension EntityDescription {
  static func entity(
    _ name: String, below parent: String? = nil, isAbstract: Bool = false,
    from originals: [String] = [],
    discards: [String] = [], unique: [[String]] = [], _ properties: PropertyDescription...
  ) -> EntityDescription {
    var entity = EntityDescription(
      name: name, superentity: parent, isAbstract: isAbstract, properties: properties,
      uniquenessConstraints: unique)
    entity.originalNames = originals
    entity.discards = discards
    return entity
  }
}

extension PropertyDescription {
  static func text(
    _ name: String, isOptional: Bool = true, default value: String? = nil, from: String...
  ) -> PropertyDescription {
    self.value(name, .string, isOptional, value.map { .text($0) }, from)
  }

  static func number(
    _ name: String, _ type: AttributeType = .integer64, isOptional: Bool = true,
    default value: Int64? = nil, from: String...
  ) -> PropertyDescription {
    self.value(name, type, isOptional, value.map { .integer($0) }, from)
  }

  static func value(
    _ name: String, _ type: AttributeType, _ isOptional: Bool, _ scalar: AttributeScalar?,
    _ from: [String]
  ) -> PropertyDescription {
    var attribute = AttributeDescription(
      name: name, type: type, isOptional: isOptional,
      default: scalar.map { .constant($0) } ?? .none)
    attribute.originalNames = from
    return .attribute(attribute)
  }

  static func one(
    _ name: String, _ destination: String, _ inverse: String, from: String...
  ) -> PropertyDescription {
    relation(name, destination, inverse, false, false, from)
  }

  static func many(
    _ name: String, _ destination: String, _ inverse: String, isOrdered: Bool = false,
    from: String...
  ) -> PropertyDescription {
    relation(name, destination, inverse, true, isOrdered, from)
  }

  private static func relation(
    _ name: String, _ destination: String, _ inverse: String, _ isToMany: Bool, _ isOrdered: Bool,
    _ from: [String]
  ) -> PropertyDescription {
    var relationship = RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isToMany: isToMany,
      isOrdered: isOrdered)
    relationship.originalNames = from
    return .relationship(relationship)
  }
}
