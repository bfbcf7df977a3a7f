import CauldronModel
import Foundation

/// What columns do not show, found by its hash.
extension ModelComparison {
  /// The single thing that makes an entity's hash the stored one.
  func flag(of layout: EntityLayout, _ stored: [UInt8]) -> Difference.Property? {
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
    return property(input, stored)
  }

  private func property(_ input: VersionHash.Input, _ stored: [UInt8]) -> Difference.Property? {
    for (index, property) in input.properties.enumerated() {
      var other = input
      for variant in Self.variants(of: property) {
        other.properties[index] = variant.property
        if other.hash == stored { return .init(name: property.name, what: variant.what) }
      }
      other.properties.remove(at: index)
      if other.hash == stored { return .init(name: property.name, what: "only in the model") }
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
    for type in AttributeType.allCases where type != attribute.type {
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
        side("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
      ))
    other = attribute
    other.preservesValueInHistoryOnDeletion.toggle()
    result.append(
      (
        .attribute(other),
        side("preservesValueInHistoryOnDeletion", attribute.preservesValueInHistoryOnDeletion)
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

  private static func side(_ flag: String, _ isInModel: Bool) -> String {
    "\(flag) only in the \(isInModel ? "model" : "store")"
  }
}
