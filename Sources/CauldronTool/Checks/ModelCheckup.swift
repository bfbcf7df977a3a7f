import CauldronModel
import CauldronModelXML
import CauldronSQLite

/// Looks a model through for all that is doubtful in it.
package struct ModelCheckup {
  private let file: ModelFile
  private let table: EntityTable

  package init(_ file: ModelFile) {
    self.file = file
    table = EntityTable(file.entities)
  }

  /// The findings and then the notes, each by the entity and property that it is about.
  package var findings: [ModelFinding] {
    var list = RelationshipChecks(table).findings
    list += AttributeChecks(table).findings
    list += NameChecks(table).findings
    let templates = file.descriptions.fetchRequestTemplates
    list += FetchChecks(table, model: file.model, templates: templates).findings
    list += omitted
    list += mistake(besides: list)
    return list.filter { !$0.isNote } + list.filter(\.isNote)
  }

  /// Why the descriptions make no model, where no other finding tells it.
  private func mistake(besides list: [ModelFinding]) -> [ModelFinding] {
    guard let mistake = file.mistake else { return [] }
    let told: Set<ModelFinding.Kind> = [.inverse, .destination, .nameTwice]
    let isTold = list.contains { finding in
      guard told.contains(finding.kind), let entity = finding.entity else { return false }
      let place = finding.property.map { "\(entity).\($0)" } ?? entity
      return mistake.message.contains(place)
    }
    return isTold
      ? []
      : [
        ModelFinding(
          .invalid, at: .init(mistake.entity, mistake.property), message: mistake.message,
          remedy: mistake.hint.isEmpty
            ? "Correct it: no store can be made of the model." : mistake.hint)
      ]
  }

  /// What the file has and the descriptions have not.
  private var omitted: [ModelFinding] {
    let source = SourceNames(file.descriptions.source)
    return table.entities.flatMap { entity in
      partial(entity, in: source) + indexes(entity, in: source)
    }
  }

  private func partial(_ entity: EntityDescription, in source: SourceNames) -> [ModelFinding] {
    guard entity.isPartial else { return [] }
    let known = Set(entity.properties.map(\.name))
    let names = source.properties(of: entity.name).filter { !known.contains($0) }
    let isInherited = source.isRead && names.isEmpty
    if isInherited { return [] }
    let list = names.map { "\(entity.name).\($0)" }.joined(separator: " and ")
    return [
      ModelFinding(
        .notUnderstood, at: .init(entity.name, names.first),
        message:
          "\(names.isEmpty ? "A property of \(entity.name)" : list) is not understood, and left"
          + " out: no store can be made of the model.",
        remedy: "Give it a type that is known, or make it transient.")
    ]
  }

  private func indexes(_ entity: EntityDescription, in source: SourceNames) -> [ModelFinding] {
    source.indexes(of: entity.name).compactMap { index in
      let unstored = index.properties.filter { name in
        switch table.property(name, of: entity.name) {
        case .attribute(let attribute)?: !attribute.hasColumn
        case .relationship(let relationship)?: relationship.isToMany || relationship.isTransient
        case nil: true
        }
      }
      guard let first = unstored.first else { return nil }
      return ModelFinding(
        .badIndex, at: .init(entity.name, index.name),
        message:
          "The index \(entity.name).\(index.name) names \(first), which is no stored property:"
          + " no store has the index.",
        remedy: "Remove it, or name another property.")
    }
  }
}

/// The names in a model's XML, which has what descriptions leave out.
private struct SourceNames {
  private let entities: [String: XMLElement]
  /// Whether there is XML.
  let isRead: Bool

  /// - Parameter bytes: The XML; nil where the model is from another file.
  init(_ bytes: [UInt8]?) {
    let root = bytes.flatMap { try? XMLReader.document($0).root }
    isRead = root != nil
    let all = root?.elements("entity") ?? []
    entities = Dictionary(all.map { ($0["name"] ?? "", $0) }) { first, _ in first }
  }

  /// The names of an entity's attributes and relationships.
  func properties(of entity: String) -> [String] {
    (entities[entity]?.elements ?? []).filter { ["attribute", "relationship"].contains($0.name) }
      .compactMap { $0["name"] }
  }

  /// The indexes of an entity that name nothing but properties.
  func indexes(of entity: String) -> [(name: String, properties: [String])] {
    (entities[entity]?.elements("fetchIndex") ?? []).map { index in
      let names = index.elements("fetchIndexElement").compactMap { $0["property"] }
      return (index["name"] ?? "", names)
    }
  }
}
