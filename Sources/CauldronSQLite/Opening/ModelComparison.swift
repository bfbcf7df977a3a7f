import CauldronModel
import Foundation

/// Says in which properties a model differs from the one that wrote a store.
///
/// A store has only the hashes of its entities, which tell whether something differs, and the
/// columns of its tables. What the columns do not show is looked for among the models that differ
/// from this one in a single thing: if one of them has the store's hash, that is it.
struct ModelComparison {
  let metadata: StoreMetadata
  let schema: StoreSchema
  /// The declared types of the file's columns, by table and column.
  let tables: [String: [String: String]]
  /// So many bytes are hashed at most to find what columns do not show: a fraction of a second.
  private static let mostHashed = 3_000_000

  init(
    _ metadata: StoreMetadata, _ schema: StoreSchema, _ tables: [String: [String: String]]
  ) {
    self.metadata = metadata
    self.schema = schema
    self.tables = tables
  }

  /// What differs in one entity.
  struct Difference: CustomStringConvertible {
    struct Property {
      let name: String
      /// What is in the model and in the store.
      let what: String
    }

    let entity: String
    var note = ""
    var properties: [Property] = []

    var description: String {
      let most = 4
      var parts = properties.prefix(most).map { "\($0.name): \($0.what)" }
      if properties.count > most { parts.append("\(properties.count - most) more") }
      if !note.isEmpty { parts.append(note) }
      return parts.isEmpty ? entity : "\(entity) (\(parts.joined(separator: "; ")))"
    }
  }

  /// The entities that differ, by name; never none where a hash differs.
  func differences() -> [Difference] {
    let names = metadata.differences(from: schema.model)
    var all: [String: Difference] = [:]
    var rest = Self.mostHashed
    for name in names { all[name] = difference(name, &rest) }
    // A subentity has another hash as soon as its parent has, and all its parent's properties.
    for layout in schema.model.entityLayouts {
      var parent = layout.superentity
      while let entity = parent {
        let inherited = Set((all[entity.name]?.properties ?? []).map(\.name))
        all[layout.name]?.properties.removeAll { inherited.contains($0.name) }
        parent = entity.superentity
      }
    }
    let list = names.compactMap { all[$0] }
    let explained = list.filter { !$0.properties.isEmpty || !$0.note.isEmpty }
    return explained.isEmpty ? list : explained
  }

  /// - Parameter rest: How many bytes may still be hashed.
  private func difference(_ name: String, _ rest: inout Int) -> Difference {
    var result = Difference(entity: name)
    guard let layout = schema.model.layout(named: name) else {
      result.note = "only in the store"
      return result
    }
    guard let stored = metadata.versionHashes[name] else {
      result.note = "only in the model"
      return result
    }
    result.properties = columns(of: layout)
    guard result.properties.isEmpty else { return result }
    if let found = flag(of: layout, [UInt8](stored), &rest) {
      result.properties = [found]
    } else if layout.superentity.map({ isSame($0) }) ?? true {
      result.note = "its columns are the same, other things are not"
    }
    return result
  }

  private func isSame(_ layout: EntityLayout) -> Bool {
    metadata.versionHashes[layout.name] == Data(layout.versionHash)
  }

  /// The columns that only one side has, or that have different types.
  private func columns(of layout: EntityLayout) -> [Difference.Property] {
    let table = schema.table(of: layout)
    guard let found = tables[table.name.uppercased()] else { return [] }
    var result: [Difference.Property] = []
    for column in table.columns where column.owner == layout.number && !column.role.isCompanion {
      let property = layout.properties[column.property]
      let mine = property.attributeType?.displayName ?? "a relationship"
      guard let type = found[column.name.uppercased()] else {
        result.append(.init(name: property.name, what: "\(mine) in the model, not in the store"))
        continue
      }
      if type != column.type {
        result.append(
          .init(name: property.name, what: "\(mine) in the model, \(type) in the store"))
      }
    }
    result.sort { $0.name < $1.name }
    // Whose a column is that no property has cannot be told; the root stands for its family.
    if layout.superentity == nil { result += extraColumns(of: table, found: found) }
    return result
  }

  private func extraColumns(
    of table: TableSchema, found: [String: String]
  ) -> [Difference.Property] {
    let known = Set(table.columns.flatMap { [$0.name] + $0.alternatives }.map { $0.uppercased() })
    let own = found.filter { !$0.key.hasPrefix("Z_") && !known.contains($0.key) }
    return own.sorted { $0.key < $1.key }.compactMap { name, type in
      // The entity number beside a reference says nothing that the reference does not.
      if name.dropFirst().prefix(while: \.isNumber).isEmpty || !name.contains("_") {
        return .init(name: "column \(name)", what: "not in the model, \(type) in the store")
      }
      return nil
    }
  }
}

/// What columns do not show, found by its hash.
extension ModelComparison {
  /// The single thing that makes an entity's hash the stored one.
  func flag(
    of layout: EntityLayout, _ stored: [UInt8], _ rest: inout Int
  ) -> Difference.Property? {
    var input = VersionHash.Input(layout)
    // What differs in the parent is the parent's.
    if let parent = layout.superentity, let hash = metadata.versionHashes[parent.name] {
      input.parent = [UInt8](hash)
    }
    // Then nothing of the entity's own differs.
    if input.hash == stored { return nil }
    var other = input
    other.isAbstract.toggle()
    if other.hash == stored {
      let words = layout.isAbstract ? ("abstract", "not") : ("not abstract", "abstract")
      return .init(name: "entity", what: "\(words.0) in the model, \(words.1) in the store")
    }
    if !input.constraints.isEmpty {
      other = input
      other.constraints = []
      if other.hash == stored {
        return .init(name: "uniqueness constraints", what: "only in the model")
      }
    }
    return property(of: input, stored: stored, &rest)
  }

  private func property(
    of input: VersionHash.Input, stored: [UInt8], _ rest: inout Int
  ) -> Difference.Property? {
    let hashes = VersionHash.Variants(input)
    for (index, property) in hashes.properties.enumerated() {
      let variants = Self.variants(of: property)
      rest -= hashes.size * (variants.count + 1)
      guard rest >= 0 else { return nil }
      for variant in variants where hashes.hash(with: variant.property, at: index) == stored {
        return .init(name: property.name, what: variant.what)
      }
      if hashes.hash(with: nil, at: index) == stored {
        return .init(name: property.name, what: "only in the model")
      }
    }
    return nil
  }

  private typealias Variant = (property: PropertyDescription, what: String)

  private static func variants(of property: PropertyDescription) -> [Variant] {
    switch property {
    case .attribute(let attribute): variants(of: attribute)
    case .relationship(let relationship): variants(of: relationship)
    }
  }

  private static func variants(of attribute: AttributeDescription) -> [Variant] {
    var result: [Variant] = []
    var other = attribute
    other.isOptional.toggle()
    result.append((.attribute(other), optionality(attribute.isOptional)))
    for type in AttributeType.allCases where type != attribute.type && type.hasColumn {
      other = attribute
      other.type = type
      let what = "\(attribute.type.displayName) in the model, \(type.displayName) in the store"
      result.append((.attribute(other), what))
      other.isOptional.toggle()
      result.append((.attribute(other), "\(what), and \(optionality(attribute.isOptional))"))
    }
    other = attribute
    other.allowsExternalBinaryDataStorage.toggle()
    result.append(
      (
        .attribute(other),
        side(
          "allowsExternalBinaryDataStorage", isInModel: attribute.allowsExternalBinaryDataStorage)
      ))
    other = attribute
    other.preservesValueInHistoryOnDeletion.toggle()
    result.append(
      (
        .attribute(other),
        side(
          "preservesValueInHistoryOnDeletion",
          isInModel: attribute.preservesValueInHistoryOnDeletion)
      ))
    return result
  }

  private static func variants(of relationship: RelationshipDescription) -> [Variant] {
    var other = relationship
    other.isOptional.toggle()
    var result: [Variant] = [(.relationship(other), optionality(relationship.isOptional))]
    other = relationship
    other.isToMany.toggle()
    let words = relationship.isToMany ? ("to-many", "to-one") : ("to-one", "to-many")
    result.append((.relationship(other), "\(words.0) in the model, \(words.1) in the store"))
    return result
  }

  private static func optionality(_ isOptional: Bool) -> String {
    isOptional
      ? "optional in the model, required in the store"
      : "required in the model, optional in the store"
  }

  private static func side(_ flag: String, isInModel: Bool) -> String {
    "\(flag) only in the \(isInModel ? "model" : "store")"
  }
}
