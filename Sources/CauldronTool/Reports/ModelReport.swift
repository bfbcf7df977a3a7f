import CauldronModel
import CauldronSQLite
import Foundation

/// What `model show` says.
struct ModelReport {
  let file: ModelFile
  /// The entities that are shown.
  let entities: [EntityDescription]
  /// Whether that is all of the model.
  let isWhole: Bool

  /// - Parameter entity: The only entity to show; nil for all.
  /// - Throws: `model.invalid` where there is none of that name.
  init(_ file: ModelFile, entity: String? = nil) throws {
    self.file = file
    isWhole = entity == nil
    entities = file.entities.filter { entity == nil || $0.name == entity }
    if let entity, entities.isEmpty {
      let names = file.entities.map(\.name)
      let hint = Suggestion.hint(for: entity, among: names)
      throw CauldronError(
        .modelInvalid, "There is no entity \"\(entity)\" in \"\(file.path)\".",
        hint: hint.isEmpty ? "It has \(names.joined(separator: ", "))." : hint)
    }
  }

  func write(_ console: Console) {
    console.write("\(console.styled("\(file.path)", as: .bold)): \(summary)")
    if let mistake = file.mistake {
      console.write("\(console.styled("no model yet:", as: .red)) \(mistake.message)")
    }
    for entity in entities {
      console.write()
      write(entity, to: console)
    }
    if isWhole { writeEnding(console) }
  }

  private var summary: String {
    let attributes = file.entities.reduce(0) { $0 + EntityParts($1).attributes.count }
    let relationships = file.entities.reduce(0) { $0 + EntityParts($1).relationships.count }
    let versions = file.descriptions.versionIdentifiers.map { "\"\($0)\"" }
    return Quantity.of(file.entities.count, "entity", plural: "entities") + ", "
      + Quantity.of(attributes, "attribute") + ", "
      + Quantity.of(relationships, "relationship")
      + (versions.isEmpty ? "" : ", version \(versions.joined(separator: ", "))")
  }

  private func write(_ entity: EntityDescription, to console: Console) {
    let parts = EntityParts(entity)
    let ending =
      (entity.superentity.map { ": \($0)" } ?? "") + (entity.isAbstract ? " (abstract)" : "")
    console.write("\(console.styled("\(entity.name)", as: .bold))\(ending)")
    var table = TextTable(.left, .left, .left)
    for property in parts.properties {
      let traits = PropertyTraits(property)
      table.add(
        property.name, (traits.isRelationship ? "→ " : "") + traits.type, traits.phrase)
    }
    for line in table.lines(indent: 2, style: { $1 == 2 ? console.styled($2, as: .dim) : $2 }) {
      console.write(line)
    }
    for (name, value) in parts.notes + [("version hash", file.hash(of: entity.name) ?? "unknown")] {
      console.write("  \(console.styled("\(name):", as: .dim)) \(value)")
    }
  }

  private func writeEnding(_ console: Console) {
    let templates = file.descriptions.fetchRequestTemplates.map { ($0.name, $0.words) }
    let configurations = file.descriptions.configurations.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.joined(separator: ", ")) }
    for (title, list) in [
      ("fetch request templates", templates), ("configurations", configurations),
    ] where !list.isEmpty {
      console.write()
      console.write(console.styled("\(title)", as: .bold))
      for (name, text) in list { console.write("  \(name): \(text)") }
    }
  }
}
