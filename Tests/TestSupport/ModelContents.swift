package import CauldronModel
package import Foundation
package import FoundationXML

/// Reads the parts of a model source that enter the version hashes, or name columns.
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
      entities.append(
        EntityDescription(
          name: attributes["name"] ?? "", superentity: attributes["parentEntity"],
          isAbstract: attributes["isAbstract"] == "YES", properties: []))
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
    return AttributeDescription(
      name: xml["name"] ?? "", type: type ?? .binary, isOptional: xml["optional"] == "YES",
      isTransient: xml["transient"] == "YES",
      allowsExternalBinaryDataStorage: xml["allowsExternalBinaryDataStorage"] == "YES",
      preservesValueInHistoryOnDeletion: xml["preserveAfterDeletion"] == "YES")
  }

  private func relationship(_ xml: [String: String]) -> RelationshipDescription {
    RelationshipDescription(
      name: xml["name"] ?? "", destination: xml["destinationEntity"] ?? "",
      inverse: xml["inverseName"], isToMany: xml["toMany"] == "YES",
      isOptional: xml["optional"] == "YES", minCount: xml["minCount"].flatMap(Int.init) ?? 0,
      maxCount: xml["maxCount"].flatMap(Int.init), isOrdered: xml["ordered"] == "YES")
  }
}
