import CauldronModel

extension ModelWriter {
  mutating func write(_ property: PropertyDescription, of entity: String) {
    var fields = common(property)
    fields["NSEntity"] = .reference(place(ofEntity: entity))
    let classNames: [String]
    switch property {
    case .attribute(let attribute):
      classNames =
        (attribute.derivation == nil ? [] : ["NSDerivedAttributeDescription"])
        + ["NSAttributeDescription"]
      add(attribute, to: &fields)
      addDerivation(of: attribute, to: &fields)
    case .relationship(let relationship):
      classNames = ["NSRelationshipDescription"]
      add(relationship, to: &fields)
    }
    archive.object(
      classNames + ["NSPropertyDescription"], fields, at: place(of: property.name, in: entity))
  }

  /// What attributes and relationships have in common.
  private mutating func common(_ property: PropertyDescription) -> [String: PropertyListTree] {
    let traits = PropertyTraits(property)
    var fields: [String: PropertyListTree] = [
      "NSPropertyName": .reference(archive.text(property.name)),
      "NSRenamingIdentifier": .reference(
        archive.text(property.originalNames.last ?? property.name)),
      "_P": .integer(traits.bits),
    ]
    if traits.isOptional { fields["NSIsOptional"] = .boolean(true) }
    if traits.isReadOnly { fields["NSIsReadOnly"] = .boolean(true) }
    if traits.isTransient { fields["NSIsTransient"] = .boolean(true) }
    if traits.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    if let modifier = traits.modifier {
      fields["NSVersionHashModifier"] = .reference(archive.text(modifier))
    }
    return fields
  }

  private mutating func add(
    _ attribute: AttributeDescription, to fields: inout [String: PropertyListTree]
  ) {
    var flags: AttributeFlags = []
    if attribute.allowsExternalBinaryDataStorage { flags.insert(.external) }
    if attribute.preservesValueInHistoryOnDeletion { flags.insert(.preserved) }
    fields["NSAttributeType"] = .integer(attribute.type.rawValue)
    fields["NSAttributeValueClassName"] = .reference(
      archive.text(attribute.type.archivedClassName))
    fields["NSFlagsKey"] = .integer(flags.rawValue)
    fields["NSValueTransformerName"] = .null
    fields["NSDefaultValue"] = .reference(defaultValue(of: attribute))
  }

  private mutating func add(
    _ relationship: RelationshipDescription, to fields: inout [String: PropertyListTree]
  ) {
    let inverse = relationship.inverse.map { place(of: $0, in: relationship.destination) }
    fields["NSDestinationEntity"] = .reference(place(ofEntity: relationship.destination))
    fields["_NSDestinationEntityName"] = .reference(archive.text(relationship.destination))
    fields["NSInverseRelationship"] = .reference(inverse ?? KeyedArchiveWriter.null)
    fields["_NSInverseRelationshipName"] = .reference(archive.text(relationship.inverse))
    fields["NSDeleteRule"] = .integer(relationship.deleteRule.rawValue)
    fields["NSMinCount"] = .integer(relationship.minCount)
    fields["NSMaxCount"] = .integer(relationship.maxCount)
  }
}

/// What `_P` says of a property, beside keys of its own.
private struct PropertyTraits {
  let isOptional: Bool
  let isReadOnly: Bool
  let isTransient: Bool
  let isOrdered: Bool
  let modifier: String?

  init(_ property: PropertyDescription) {
    isReadOnly = property.isDerived
    switch property {
    case .attribute(let attribute):
      (isOptional, isTransient) = (attribute.isOptional, attribute.isTransient)
      (isOrdered, modifier) = (false, attribute.versionHashModifier)
    case .relationship(let relationship):
      (isOptional, isTransient) = (relationship.isOptional, false)
      (isOrdered, modifier) = (relationship.isOrdered, relationship.versionHashModifier)
    }
  }

  /// Bit 0 is set always; bits 4 to 6 tell that there are no predicates, warnings and user info, and
  /// bit 7 that there is no modifier.
  var bits: Int {
    let flags = [
      (1, isOptional), (2, isReadOnly), (3, isTransient), (7, modifier == nil), (10, isOrdered),
    ]
    return flags.reduce(0b111_0001) { $1.1 ? $0 | 1 << $1.0 : $0 }
  }
}
