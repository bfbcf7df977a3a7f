import CauldronModel
import CauldronModelXML

extension StoredModel {
  /// The model as Xcode edits it, the `contents` of an `.xcdatamodel`.
  package func source() -> String { XMLWriter.text(of: SourceWriter(self).document) }
}

/// Makes XML of descriptions, in the order in which Xcode writes it.
///
/// Left out are computed defaults, defaults of bytes, rules of code or patterns, bounds of dates, and settings of
/// imports and migrations.
struct SourceWriter {
  private let model: StoredModel
  /// The names of composites by what their elements are in XML, and the other way round.
  private var composites: [[XMLElement]: String] = [:]

  init(_ model: StoredModel) {
    self.model = model
    for entity in model.entities {
      for case .attribute(let attribute) in entity.properties { note(attribute) }
    }
  }

  var document: XMLDocument {
    XMLDocument(
      root: XMLElement(
        "model",
        attributes: [
          XMLAttribute("type", "com.apple.IDECoreDataModeler.DataModel"),
          XMLAttribute("documentVersion", "1.0"), XMLAttribute("minimumToolsVersion", "Automatic"),
          XMLAttribute("sourceLanguage", "Swift"),
          XMLAttribute("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? ""),
        ],
        children: model.entities.map { .element(entity($0)) }
          + composites.sorted { $0.value < $1.value }.map { elements, name in
            .element(composite(named: name, of: elements))
          } + model.fetchRequestTemplates.map { .element(request($0, named: $0.name)) }
          + model.configurations.sorted { $0.key < $1.key }.map {
            .element(configuration(named: $0, of: $1))
          }))
  }

  /// Gives the elements of a composite attribute a name that no other elements have.
  private mutating func note(_ attribute: AttributeDescription) {
    guard attribute.type == .composite else { return }
    for element in attribute.elements { note(element) }
    let elements = attribute.elements.map { self.attribute($0) }
    guard composites[elements] == nil else { return }
    let wanted =
      attribute.compositeName ?? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
    var (name, number) = (wanted, 1)
    while composites.values.contains(name) {
      number += 1
      name = "\(wanted)\(number)"
    }
    composites[elements] = name
  }

  private func composite(named name: String, of elements: [XMLElement]) -> XMLElement {
    XMLElement(
      "composite", attributes: [XMLAttribute("name", name)],
      children: elements.map { .element($0) })
  }

  private func request(_ template: FetchRequestTemplate, named name: String) -> XMLElement {
    var result = XMLElement("fetchRequest")
    result.add("name", name)
    result.add("entity", template.entityName)
    result.add("predicateString", template.predicateFormat)
    result.add("fetchLimit", template.fetchLimit == 0 ? nil : "\(template.fetchLimit)")
    if !template.includesSubentities {
      result.attributes.append(XMLAttribute("includeSubentities", "NO"))
    }
    return result
  }

  private func configuration(named name: String, of members: [String]) -> XMLElement {
    XMLElement(
      "configuration", attributes: [XMLAttribute("name", name)],
      children: members.map {
        .element(XMLElement("memberEntity", attributes: [XMLAttribute("name", $0)]))
      })
  }

  private func fetched(_ template: FetchRequestTemplate) -> XMLElement {
    var result = XMLElement("fetchedProperty")
    result.add("name", template.name)
    result.add("optional", true)
    result.children = [.element(request(template, named: "fetchedPropertyFetchRequest"))]
    return result
  }

  private func entity(_ entity: EntityDescription) -> XMLElement {
    var result = XMLElement("entity")
    result.add("name", entity.name)
    result.add("representedClassName", entity.name)
    result.add("isAbstract", entity.isAbstract)
    result.add("parentEntity", entity.superentity)
    result.add("elementID", entity.originalNames.last)
    result.add("versionHashModifier", entity.versionHashModifier)
    result.add("syncable", true)
    result.add("codeGenerationType", "class")
    for case .attribute(let attribute) in entity.properties {
      result.children.append(.element(self.attribute(attribute)))
    }
    for case .relationship(let relationship) in entity.properties {
      result.children.append(.element(self.relationship(relationship)))
    }
    result.children += entity.fetchedProperties.map { .element(fetched($0)) }
    result.children += entity.indexes.map { .element(index($0)) }
    if !entity.uniquenessConstraints.isEmpty {
      result.children.append(.element(constraints(entity.uniquenessConstraints)))
    }
    result.addUserInfo(entity.userInfo)
    return result
  }

  private func attribute(_ attribute: AttributeDescription) -> XMLElement {
    let bounds = SourceBounds(attribute)
    var result = XMLElement("attribute")
    result.add("name", attribute.name)
    result.add("optional", attribute.isOptional)
    result.add("transient", attribute.isTransient)
    if attribute.type != .undefined, attribute.type != .composite {
      result.add("attributeType", attribute.type.displayName)
    }
    result.add("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
    if attribute.type == .composite {
      result.add("composite", composites[attribute.elements.map { self.attribute($0) }])
    }
    let value = defaultValue(of: attribute)
    if attribute.type == .date { result.add("defaultDateTimeInterval", value) }
    if let derivation = attribute.derivation {
      result.add("derived", true)
      result.add("derivationExpression", derivation)
    }
    result.add("minValueString", bounds.least)
    result.add("maxValueString", bounds.most)
    if attribute.type != .date { result.add("defaultValueString", value) }
    if attribute.type.isNumber {
      result.attributes.append(
        XMLAttribute("usesScalarValueType", attribute.isOptional ? "NO" : "YES"))
    }
    result.add("elementID", attribute.originalNames.last)
    result.add("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    if let name = attribute.valueTransformerName {
      result.attributes.append(XMLAttribute("valueTransformerName", name))
    }
    result.add("versionHashModifier", attribute.versionHashModifier)
    result.addUserInfo(attribute.userInfo)
    return result
  }

  private func defaultValue(of attribute: AttributeDescription) -> String? {
    guard case .constant(let value) = attribute.defaultValue else { return nil }
    switch value {
    case .integer(let number):
      return attribute.type == .boolean ? (number == 0 ? "NO" : "YES") : "\(number)"
    case .real(let number): return "\(number)"
    case .text(let text): return text
    case .blob(let data):
      guard attribute.type == .uuid, data.count == 16 else { return nil }
      return SourceUUID(Array(data)).text
    case .null: return nil
    }
  }

  private func relationship(_ relationship: RelationshipDescription) -> XMLElement {
    var result = XMLElement("relationship")
    result.add("name", relationship.name)
    result.add("optional", relationship.isOptional)
    result.add("transient", relationship.isTransient)
    result.add("toMany", relationship.isToMany)
    result.add("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)")
    result.add("maxCount", relationship.maxCount == 0 ? nil : "\(relationship.maxCount)")
    result.add("deletionRule", relationship.deleteRule.sourceName)
    result.add("ordered", relationship.isOrdered)
    result.add("destinationEntity", relationship.destination)
    result.add("inverseName", relationship.inverse)
    result.add("inverseEntity", relationship.inverse.map { _ in relationship.destination })
    result.add("elementID", relationship.originalNames.last)
    result.add("versionHashModifier", relationship.versionHashModifier)
    result.addUserInfo(relationship.userInfo)
    return result
  }

  private func index(_ index: IndexDescription) -> XMLElement {
    XMLElement(
      "fetchIndex", attributes: [XMLAttribute("name", index.name)],
      children: index.properties.map { property in
        .element(
          XMLElement(
            "fetchIndexElement",
            attributes: [
              XMLAttribute("property", property), XMLAttribute("type", "Binary"),
              XMLAttribute(
                "order", index.descending.contains(property) ? "descending" : "ascending"),
            ]))
      })
  }

  private func constraints(_ constraints: [[String]]) -> XMLElement {
    XMLElement(
      "uniquenessConstraints",
      children: constraints.map { names in
        .element(
          XMLElement(
            "uniquenessConstraint",
            children: names.map {
              .element(XMLElement("constraint", attributes: [XMLAttribute("value", $0)]))
            }))
      })
  }
}

/// The bounds of an attribute's rules, as XML has them.
private struct SourceBounds {
  private(set) var least: String?
  private(set) var most: String?

  init(_ attribute: AttributeDescription) {
    for rule in attribute.rules {
      switch rule.kind {
      case .length(let least, let most):
        if least > 0 { self.least = "\(least)" }
        if most < .max { self.most = "\(most)" }
      case .range(let least, let most, _) where attribute.type.isNumber:
        self.least = Self.text(least) ?? self.least
        self.most = Self.text(most) ?? self.most
      case .range, .pattern, .check: continue
      }
    }
  }

  private static func text(_ bound: AttributeScalar) -> String? {
    switch bound {
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : nil
    case .text(let text): text
    case .blob, .null: nil
    }
  }
}

/// A UUID in the form that people read.
private struct SourceUUID {
  let text: String

  init(_ bytes: [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { result.append(UInt8(ascii: "-")) }
      result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    text = String(decoding: result, as: UTF8.self)
  }
}

extension AttributeType {
  /// Whether values are numbers, whose classes Xcode makes of scalars where there always is one.
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .string, .date, .binary, .uuid, .uri, .transformable, .composite, .undefined: false
    }
  }
}

extension RelationshipDescription.DeleteRule {
  /// The name in a model's XML.
  var sourceName: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

extension XMLElement {
  /// Adds an attribute that has a value.
  fileprivate mutating func add(_ name: String, _ value: String?) {
    if let value { attributes.append(XMLAttribute(name, value)) }
  }

  /// Adds an attribute that is true.
  fileprivate mutating func add(_ name: String, _ isSet: Bool) {
    if isSet { attributes.append(XMLAttribute(name, "YES")) }
  }

  fileprivate mutating func addUserInfo(_ info: [String: String]) {
    if info.isEmpty { return }
    let entries = info.sorted { $0.key < $1.key }.map { key, value in
      XMLNode.element(
        XMLElement("entry", attributes: [XMLAttribute("key", key), XMLAttribute("value", value)]))
    }
    children.append(.element(XMLElement("userInfo", children: entries)))
  }
}
