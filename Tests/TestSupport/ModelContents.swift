package import CauldronModel
package import Foundation
package import FoundationXML

/// Reads the parts of a model source that enter the version hashes, name columns and indexes, or tell
/// what becomes of a store's values.
package final class ModelContents: NSObject, XMLParserDelegate {
  package private(set) var entities: [EntityDescription] = []

  package init(_ data: Data) throws {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  package func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    switch element {
    case "entity":
      var entity = EntityDescription(
        name: attributes["name"] ?? "", superentity: attributes["parentEntity"],
        isAbstract: attributes["isAbstract"] == "YES", properties: [])
      entity.originalNames = names(attributes)
      entities.append(entity)
    case "fetchIndex":
      entities[entities.count - 1].indexes.append(
        IndexDescription(name: attributes["name"], properties: []))
    case "fetchIndexElement":
      let last = entities[entities.count - 1].indexes.count - 1
      entities[entities.count - 1].indexes[last].properties.append(attributes["property"] ?? "")
    case "attribute":
      entities[entities.count - 1].properties.append(.attribute(attribute(attributes)))
    case "relationship":
      entities[entities.count - 1].properties.append(.relationship(relationship(attributes)))
    case "uniquenessConstraint":
      entities[entities.count - 1].uniquenessConstraints.append([])
    case "constraint":
      let last = entities[entities.count - 1].uniquenessConstraints.count - 1
      entities[entities.count - 1].uniquenessConstraints[last].append(attributes["value"] ?? "")
    default:
      break
    }
  }

  private func attribute(_ xml: [String: String]) -> AttributeDescription {
    let type = AttributeType.allCases.first { $0.displayName == xml["attributeType"] }
    var attribute = AttributeDescription(
      name: xml["name"] ?? "", type: type ?? .binary, isOptional: xml["optional"] == "YES",
      isTransient: xml["transient"] == "YES",
      allowsExternalBinaryDataStorage: xml["allowsExternalBinaryDataStorage"] == "YES",
      preservesValueInHistoryOnDeletion: xml["preserveAfterDeletion"] == "YES")
    attribute.originalNames = names(xml)
    if let value = xml["defaultValueString"].flatMap(attribute.type.scalar) {
      attribute.defaultValue = .constant(value)
    }
    return attribute
  }

  /// Core Data's renaming identifier.
  private func names(_ xml: [String: String]) -> [String] { xml["elementID"].map { [$0] } ?? [] }

  private func relationship(_ xml: [String: String]) -> RelationshipDescription {
    RelationshipDescription(
      name: xml["name"] ?? "", destination: xml["destinationEntity"] ?? "",
      inverse: xml["inverseName"], isToMany: xml["toMany"] == "YES",
      isOptional: xml["optional"] == "YES", minCount: xml["minCount"].flatMap(Int.init) ?? 0,
      maxCount: xml["maxCount"].flatMap(Int.init), isOrdered: xml["ordered"] == "YES")
  }
}

extension AttributeType {
  /// A default value as a model source spells it; nil for those of other types.
  fileprivate func scalar(_ text: String) -> AttributeScalar? {
    switch self {
    case .integer16, .integer32, .integer64: Int64(text).map { .integer($0) }
    case .boolean: .integer(text == "YES" ? 1 : 0)
    case .double: Double(text).map { .real($0) }
    default: nil
    }
  }
}
