/// A property as the engine uses it.
@usableFromInline
package struct PropertyLayout: Sendable {
  package let name: String
  /// The index among the entity's properties, which is also its slot in a row.
  package let index: Int
  package let description: PropertyDescription
  package let kind: Kind
  /// What a value looks like in a row; nil where the property has no column.
  @usableFromInline package let form: ValueForm?
  /// What becomes of the destinations when the object is deleted; `noAction` for attributes.
  package let deleteRule: RelationshipDescription.DeleteRule
  /// The slot with the destination's entity number, for a to-one into a hierarchy.
  package internal(set) var entitySlot: Int?
  /// The slot with the place among the objects that refer to the same one, for a to-one with an
  /// ordered inverse.
  package internal(set) var orderSlot: Int?
  /// Whether the property must not be nil at save.
  package let isRequired: Bool
  /// Whether the model has no such property: it is the other end of relationships that are one-way.
  package let isHidden: Bool
  /// The number of the entity that declares the property; 0 where there is none.
  let declaring: Int32
  /// The relationship at the other end and the entity there; set when the model is built.
  package internal(set) var destination: Destination?
  /// The relationship whose objects the store counts, by its index; nil for all that is not derived.
  package internal(set) var counted: Int?
  /// Where the links of a many-to-many relationship are kept; nil for all other properties.
  package internal(set) var join: Join?

  init(
    name: String, index: Int, description: PropertyDescription, kind: Kind, isRequired: Bool,
    isHidden: Bool = false, declaring: Int32
  ) {
    self.isHidden = isHidden
    self.declaring = declaring
    self.name = name
    self.index = index
    self.description = description
    self.kind = kind
    self.isRequired = isRequired
    deleteRule =
      if case .relationship(let relationship) = description { relationship.deleteRule } else {
        .noAction
      }
    form =
      switch kind {
      case .attribute(let type): type.storage.form
      case .toOne: .integer
      case .transient, .toMany: nil
      }
  }

  /// Whether the values of other attributes are those of its elements.
  package var isComposite: Bool {
    if case .attribute(let attribute) = description { attribute.type == .composite } else { false }
  }

  package enum Kind: Sendable, Hashable {
    case attribute(AttributeType)
    case transient
    case toOne
    case toMany
  }

  /// The other end of a relationship.
  package struct Destination: Sendable {
    package unowned(unsafe) let entity: EntityLayout
    /// The index of the inverse among the destination's properties.
    package let inverse: Int
  }

  /// The side of a join table that a many-to-many relationship looks from.
  package struct Join: Sendable {
    package unowned(unsafe) let entity: EntityLayout
    /// The join's property that leads to the relationship's own object.
    package let near: Int
    /// The join's property that leads to the object at the other end.
    package var far: Int { 1 - near }
  }

  /// What becomes of the object's reference when what it leads to is deleted: the rule of the
  /// relationship at the other end.
  package var ruleOfTarget: RelationshipDescription.DeleteRule {
    guard let destination else { return .noAction }
    return destination.entity.properties[destination.inverse].deleteRule
  }

  /// Whether it is one end of a one-to-one relationship.
  package var isOneToOne: Bool {
    guard kind == .toOne, let destination else { return false }
    return destination.entity.properties[destination.inverse].kind == .toOne
  }

  /// What the store computes the value from; nil for what is set.
  package var derivation: String? {
    if case .attribute(let attribute) = description { attribute.derivation } else { nil }
  }

  /// The slots that belong to the property beside its own.
  package var companions: [Int] { [entitySlot, orderSlot].compactMap { $0 } }

  /// Whether the relationship keeps its objects in an order of their own.
  package var isOrdered: Bool {
    guard kind == .toMany, case .relationship(let relationship) = description else { return false }
    return relationship.isOrdered
  }

  /// Whether the property has a column in the entity's table.
  package var hasColumn: Bool { form != nil }

  /// The attribute's type; nil for transient attributes and relationships.
  package var attributeType: AttributeType? {
    if case .attribute(let type) = kind { type } else { nil }
  }

  /// What may be there and yet be no value.
  package var doubt: ValueForm.Doubt? {
    guard case .attribute(let attribute) = description, hasColumn else { return nil }
    return attribute.unstorable.map(ValueForm.Doubt.unstorable) ?? form?.doubt
  }

  /// How a row keeps the property; nil where it has no column.
  @inlinable package var storageClass: StorageClass? { form?.storageClass }
}

/// Where a to-one relationship leads, in a form that copies nothing.
package struct ToOneWay: Sendable {
  /// The number of the destination's root entity.
  package let root: Int32
  /// The number of the destination, for a relationship that names no entity in the row; 0 for a property
  /// that is none.
  package let number: Int32
  /// The slot with the number of the destination's entity; -1 where there is none.
  package let slot: Int32

  init(_ property: PropertyLayout) {
    let destination = property.kind == .toOne ? property.destination?.entity : nil
    root = destination?.rootNumber ?? 0
    number = destination?.number ?? 0
    slot = Int32(property.entitySlot ?? -1)
  }
}

/// How many objects a to-many relationship may lead to.
package struct CountLimit: Sendable {
  /// The relationship's index.
  package let index: Int
  private let isOptional: Bool
  private let least: Int
  private let most: Int

  /// Nil for a relationship that may lead to any number, and for a to-one, whose column tells.
  package init?(_ property: PropertyLayout) {
    guard case .relationship(let relationship) = property.description, relationship.isToMany else {
      return nil
    }
    index = property.index
    isOptional = relationship.isOptional
    least = max(relationship.minCount, isOptional || relationship.mayBeEmpty ? 0 : 1)
    most = relationship.maxCount > 1 ? relationship.maxCount : .max
    if most == .max, least < (isOptional ? 2 : 1) { return nil }
  }

  /// The limit of the relationship that leads back.
  package init?(inverseOf property: PropertyLayout) {
    guard let destination = property.destination else { return nil }
    self.init(destination.entity.properties[destination.inverse])
  }

  /// What is wrong with a number; nil where nothing is.
  package func failure(_ count: Int) -> CountFailure? {
    if count > most { return .tooMany(most) }
    return count < least && !(isOptional && count == 0) ? .tooFew(least) : nil
  }

  /// Whether more objects than before may be too many.
  package var limitsGains: Bool { most < .max || isOptional && least > 1 }
  /// Whether fewer objects than before may be too few.
  package var limitsLosses: Bool { least > 0 }
}

/// What is wrong with the number of objects that a relationship leads to, with the limit.
package enum CountFailure: Sendable, Hashable {
  case tooFew(Int)
  case tooMany(Int)
}

// What the description says.
extension PropertyLayout {
  /// The default that is the same for every object; nil for none.
  package var constantDefault: AttributeScalar? {
    guard case .attribute(let attribute) = description,
      case .constant(let scalar) = attribute.defaultValue, !scalar.isNull
    else { return nil }
    return scalar
  }

  /// What a new object has.
  package var initial: AttributeScalar {
    guard case .attribute(let attribute) = description else { return .null }
    switch attribute.defaultValue {
    case .none: return .null
    case .constant(let scalar): return scalar
    case .computed(let make): return make()
    }
  }

  /// Whether a new object, and so a row that is filled, has a value.
  package var hasDefault: Bool {
    guard case .attribute(let attribute) = description else { return false }
    if attribute.derivation != nil { return true }
    switch attribute.defaultValue {
    case .none, .constant(.null): return false
    case .constant, .computed: return true
    }
  }

  /// How the attribute's values become bytes; `untold` for what is no transformable one.
  package var transformation: AttributeTransformation {
    guard case .attribute(let attribute) = description else { return .untold }
    return AttributeTransformation(attribute.valueTransformerName)
  }

  /// Whether values may be files of their own.
  package var hasExternalData: Bool {
    guard case .attribute(let attribute) = description else { return false }
    return attribute.allowsExternalBinaryDataStorage
  }

  /// The words that a model has for the property.
  package var userInfo: [String: String] {
    switch description {
    case .attribute(let attribute): attribute.userInfo
    case .relationship(let relationship): relationship.userInfo
    }
  }

  /// The type in a class, as the permission to lose values names it: `String`, `Company`, `[Tag]`.
  package var typeName: String {
    if let type = attributeType { return type.swiftName }
    guard case .relationship(let relationship) = description else { return "" }
    return relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination
  }
}

// What is kept of the property.
extension PropertyLayout {
  /// Whether a store keeps anything of the property.
  package var isStored: Bool { kind != .transient }

  /// Whether the property leads to other objects.
  package var isRelationship: Bool { kind == .toOne || kind == .toMany }

  /// Whether the property leads to many objects.
  package var isToMany: Bool { kind == .toMany }

  /// Whether both ends lead to many objects.
  var isManyToMany: Bool {
    guard let destination else { return false }
    return destination.entity.properties[destination.inverse].kind == .toMany
  }

  /// Whether a store keeps values for the property itself: a to-many whose inverse is to one has none.
  package var holdsValues: Bool {
    if derivation != nil { return false }
    guard kind == .toMany else { return true }
    // Of a join table, the side whose entity comes first speaks for both.
    return join.map { $0.near == 0 } ?? false
  }

  /// Whether values of a property of the store are at the same place in the model's tables.
  package func goesOn(with old: PropertyLayout) -> Bool {
    isRelationship ? kind == old.kind && (join == nil) == (old.join == nil) : hasColumn
  }

  /// The root entity of the objects whose to-many relationship the reference makes up; nil where the
  /// other end has a column of its own.
  package var ownersRoot: EntityLayout? {
    guard let destination,
      destination.entity.properties[destination.inverse].kind == .toMany
    else { return nil }
    return destination.entity.root
  }

  /// Whether programs look objects up by the property; decimals are left out, since equal ones may
  /// be spelt differently.
  package func isIndexed(in entity: EntityLayout) -> Bool {
    form != .decimal && isUnique(in: entity)
  }

  private func isUnique(in entity: EntityLayout) -> Bool {
    entity.description.uniquenessConstraints.contains { $0.contains(name) }
      || entity.superentity.map(isUnique) ?? false
  }

  /// What a property of a join leads to.
  package func end(of link: RowPointer, _ storeNumber: Int32) -> ManagedObjectID {
    let number =
      entitySlot.map { Int32(truncatingIfNeeded: link.slot($0)) } ?? destination?.entity.number ?? 0
    return ManagedObjectID(key: link.slot(index), entityNumber: number, storeNumber: storeNumber)
  }

  /// Whether the property is a to-many relationship that columns tell of: those of its destinations, or
  /// of its links.
  var isKeptByColumns: Bool {
    join != nil || destination.map { $0.entity.properties[$0.inverse].kind == .toOne } ?? false
  }
}
