import CauldronModel
import CauldronModelFile
import Foundation

extension StoredModel {
  /// Everything that the model says, a line for each thing.
  var lines: [String] {
    entities.flatMap { entity in
      let head =
        "\(entity.name): \(entity.superentity ?? "-") \(entity.isAbstract) \(entity.originalNames)"
        + " \(entity.uniquenessConstraints) \(entity.indexes)"
      return [head] + entity.properties.map { "\(entity.name).\(Self.line($0))" }
    } + versionIdentifiers
  }

  private static func line(_ property: PropertyDescription) -> String {
    if case .relationship(var relationship) = property {
      // Whatever is read may be empty.
      relationship.mayBeEmpty = false
      return "\(relationship)"
    }
    guard case .attribute(var attribute) = property else { return "\(property)" }
    var value = "-"
    if case .constant(.blob(let data)) = attribute.defaultValue {
      attribute.defaultValue = .none
      value = "\(Array(data))"
    }
    return "\(attribute) \(value)"
  }

  /// The version hashes of the model that the descriptions make.
  func hashes() throws -> [String: [UInt8]] {
    try ManagedObjectModel(entities: entities).entityVersionHashesByName
  }
}

extension EntityDescription {
  func attribute(_ name: String) -> AttributeDescription? {
    for case .attribute(let attribute) in properties where attribute.name == name {
      return attribute
    }
    return nil
  }

  func relationship(_ name: String) -> RelationshipDescription? {
    for case .relationship(let relationship) in properties where relationship.name == name {
      return relationship
    }
    return nil
  }
}
