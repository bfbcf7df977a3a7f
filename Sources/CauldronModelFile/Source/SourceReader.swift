import CauldronModel
package import CauldronModelXML

extension StoredModel {
  /// Reads the `contents` of a model that Xcode edits.
  /// - Throws: The line that is wrong.
  package init(source: [UInt8]) throws(XMLFailure) {
    self = try SourceReader(XMLReader.document(source)).model()
  }
}

/// Makes descriptions of a model in XML.
///
/// Left out are layouts, and notes for the generator of classes.
struct SourceReader {
  private let root: XMLElement

  /// The most elements of composite attributes: a short file may say a million.
  private static let mostElements = 20_000

  init(_ document: XMLDocument) throws(XMLFailure) {
    root = document.root
    guard root.name == "model" else {
      throw XMLFailure(line: root.line, "the first element is <\(root.name)>, and not <model>")
    }
  }

  func model() throws(XMLFailure) -> StoredModel {
    var result = StoredModel(entities: [])
    if let identifier = root["userDefinedModelVersionIdentifier"], !identifier.isEmpty {
      result.versionIdentifiers = [identifier]
    }
    let composites = try SourceComposites(root)
    var lines: [String: Int] = [:]
    var elements = 0
    for element in root.elements("entity") {
      for child in element.elements("attribute") {
        elements += child.given("composite").map(composites.count) ?? 0
      }
      guard elements <= Self.mostElements else {
        throw XMLFailure(
          line: element.line, "more than \(Self.mostElements) elements are in composite attributes")
      }
      var reader = try SourceEntity(element, composites)
      try reader.read()
      let name = reader.entity.name
      if let first = lines.updateValue(element.line, forKey: name) {
        throw XMLFailure(
          line: element.line, "the entity \(name) is there already, in line \(first)")
      }
      result.entities.append(reader.entity)
      if reader.isOpen { result.open.insert(name) }
    }
    result.openBelow()
    result.dropConstraintsOfOmitted()
    result.dropIndexesOfUnstored()
    var model = StoredModel(result)
    for element in root.elements("fetchRequest") {
      let template = try element.template(named: element.required("name"))
      if model.fetchRequestTemplates.contains(where: { $0.name == template.name }) {
        throw XMLFailure(line: element.line, "there are two fetch requests named \(template.name)")
      }
      model.fetchRequestTemplates.append(template)
    }
    for element in root.elements("configuration") { try read(element, into: &model.configurations) }
    return model
  }

  private func read(
    _ element: XMLElement, into configurations: inout [String: [String]]
  ) throws(XMLFailure) {
    let entities = Set(root.elements("entity").compactMap { $0.given("name") })
    let name = try element.required("name")
    var members: [String] = []
    for member in element.elements("memberEntity") {
      let entity = try member.required("name")
      guard entities.contains(entity) else {
        throw XMLFailure(line: member.line, "the configuration \(name) has no entity \(entity)")
      }
      members.append(entity)
    }
    guard configurations.updateValue(members, forKey: name) == nil else {
      throw XMLFailure(line: element.line, "there are two configurations named \(name)")
    }
  }
}

extension StoredModel {
  /// The same, in the order in which models are kept.
  fileprivate init(_ model: StoredModel) {
    self.init(entities: model.entities, versionIdentifiers: model.versionIdentifiers)
    open = model.open
  }

  /// What is not understood of an entity is inherited.
  fileprivate mutating func openBelow() {
    if open.isEmpty { return }
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for entity in entities
    where Self.family(of: entity, byName).contains(where: { open.contains($0.name) }) {
      open.insert(entity.name)
    }
  }

  /// Leaves out the constraints on what was left out of an entity.
  fileprivate mutating func dropConstraintsOfOmitted() {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for place in entities.indices where open.contains(entities[place].name) {
      let names = Set(
        Self.family(of: entities[place], byName).flatMap(\.allProperties).map(\.name))
      entities[place].uniquenessConstraints.removeAll { !$0.allSatisfy(names.contains) }
    }
  }

  /// Leaves out the indexes that need more than columns: Core Data makes none of them.
  fileprivate mutating func dropIndexesOfUnstored() {
    if entities.allSatisfy(\.indexes.isEmpty) { return }
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    for place in entities.indices where !entities[place].indexes.isEmpty {
      let family = Self.family(of: entities[place], byName)
      let columns = Set(family.flatMap(\.allProperties).filter(\.isColumn).map(\.name))
      entities[place].indexes.removeAll { !$0.properties.allSatisfy(columns.contains) }
    }
  }

  /// An entity and those above it, as far as they are looked at.
  private static func family(
    of entity: EntityDescription, _ byName: [String: EntityDescription]
  ) -> [EntityDescription] {
    var result = [entity]
    while let next = result.last?.superentity.flatMap({ byName[$0] }),
      result.count <= ModelCheck.mostSuperentities
    {
      result.append(next)
    }
    return result
  }
}

/// Makes a description of one entity.
private struct SourceEntity {
  private let element: XMLElement
  private let composites: SourceComposites
  private(set) var entity: EntityDescription
  /// Whether something was left out that may enter the version hash.
  private(set) var isOpen = false
  private var names: Set<String> = []

  init(_ element: XMLElement, _ composites: SourceComposites) throws(XMLFailure) {
    self.element = element
    self.composites = composites
    let name = try element.required("name")
    entity = EntityDescription(
      name: name, superentity: element.given("parentEntity"),
      isAbstract: element.isSet("isAbstract"), properties: [])
    entity.originalNames = element.originalNames(of: name)
    entity.versionHashModifier = element.given("versionHashModifier")
    entity.userInfo = element.userInfo
    entity.representedClassName = element.given("representedClassName")
      .flatMap { $0.split(separator: ".").last.map(String.init) }
  }

  mutating func read() throws(XMLFailure) {
    for child in element.elements {
      switch child.name {
      case "attribute": try add(SourceAttribute(child, composites).property, of: child)
      case "relationship": try add(relationship(child), of: child)
      case "fetchedProperty": try readFetched(child)
      case "fetchIndex": readIndex(child)
      case "uniquenessConstraints": try readConstraints(child)
      default: continue
      }
    }
  }

  /// - Parameter property: Nil where there is no description of the kind.
  private mutating func add(
    _ property: PropertyDescription?, of child: XMLElement
  ) throws(XMLFailure) {
    let name = try child.required("name")
    guard names.insert(name).inserted else {
      throw XMLFailure(line: child.line, "\(entity.name) has two properties named \(name)")
    }
    if let property { entity.properties.append(property) } else { isOpen = true }
  }

  private func relationship(_ child: XMLElement) throws(XMLFailure) -> PropertyDescription? {
    let name = try child.required("name")
    let (least, most) = (try child.count("minCount"), try child.count("maxCount"))
    var relationship = RelationshipDescription(
      name: name, destination: try child.required("destinationEntity"),
      inverse: child.given("inverseName"), isToMany: most != 1,
      isOptional: child.isSet("optional"), deleteRule: try deleteRule(child), minCount: least,
      maxCount: most, isOrdered: child.isSet("ordered"),
      versionHashModifier: child.given("versionHashModifier"))
    relationship.isTransient = child.isSet("transient")
    relationship.mayBeEmpty = most != 1
    relationship.originalNames = child.originalNames(of: name)
    relationship.userInfo = child.userInfo
    return .relationship(relationship)
  }

  private func deleteRule(
    _ child: XMLElement
  ) throws(XMLFailure) -> RelationshipDescription.DeleteRule {
    guard let name = child["deletionRule"] else { return .nullify }
    let rules = RelationshipDescription.DeleteRule.allCases
    guard let rule = rules.first(where: { $0.sourceName == name }) else {
      throw XMLFailure(line: child.line, "\"\(name)\" is no deletion rule")
    }
    return rule
  }

  private mutating func readFetched(_ child: XMLElement) throws(XMLFailure) {
    let name = try child.required("name")
    guard names.insert(name).inserted else {
      throw XMLFailure(line: child.line, "\(entity.name) has two properties named \(name)")
    }
    guard let request = child.elements("fetchRequest").first else { return }
    entity.fetchedProperties.append(try request.template(named: name))
  }

  /// Adds an index that is nothing but properties.
  private mutating func readIndex(_ child: XMLElement) {
    let elements = child.elements("fetchIndexElement")
    let properties = elements.compactMap { element in
      element["type"] == "Binary" ? element["property"] : nil
    }
    guard let name = child.given("name"), !elements.isEmpty, properties.count == elements.count,
      child.given("partialIndexPredicate") == nil
    else { return }
    var index = IndexDescription(name: name, properties: properties)
    index.descending = Set(
      elements.filter { $0["order"] == "descending" }.compactMap { $0["property"] })
    entity.indexes.append(index)
  }

  private mutating func readConstraints(_ child: XMLElement) throws(XMLFailure) {
    for constraint in child.elements("uniquenessConstraint") {
      var properties: [String] = []
      for element in constraint.elements("constraint") {
        properties.append(try element.required("value"))
      }
      entity.uniquenessConstraints.append(properties)
    }
  }
}

extension XMLElement {
  /// The value of an attribute; nil where there is none, or an empty one.
  func given(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }

  func required(_ name: String) throws(XMLFailure) -> String {
    guard let value = given(name) else {
      throw XMLFailure(line: line, "<\(self.name)> has no \(name)")
    }
    return value
  }

  func isSet(_ name: String) -> Bool { self[name] == "YES" }

  /// A number of destinations, of which the version hash knows 32 bits; 0 where there is none.
  fileprivate func count(_ name: String) throws(XMLFailure) -> Int {
    guard let text = given(name) else { return 0 }
    guard let count = Int32(text) else {
      throw XMLFailure(line: line, "\(name) \"\(text)\" is no count")
    }
    return Int(count)
  }

  /// The fetch that the element describes.
  fileprivate func template(named name: String) throws(XMLFailure) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(
      name: name, entityName: try required("entity"), predicateFormat: given("predicateString"))
    template.fetchLimit = max(0, try count("fetchLimit"))
    template.includesSubentities = self["includeSubentities"] != "NO"
    return template
  }

  /// What a property or an entity had for a name before, if another one.
  func originalNames(of name: String) -> [String] {
    guard let original = given("renamingIdentifier") ?? given("elementID"), original != name else {
      return []
    }
    return [original]
  }

  /// What the model editor has noted.
  var userInfo: [String: String] {
    let entries = elements("userInfo").flatMap { $0.elements("entry") }
    return Dictionary(entries.map { ($0["key"] ?? "", $0["value"] ?? "") }) { _, last in last }
  }
}
