import CauldronArchive
import CauldronModel
import Foundation

/// Archives a model in the form of a `.mom` file: plain dictionaries, and own properties only.
///
/// `Z_MODELCACHE` as Core Data writes it repeats inherited properties and keeps entities in a
/// dictionary with fixed keys; both are forms of a model that is in use already.
struct ModelWriter {
  private let model: StoredModel
  var archive = KeyedArchiveWriter()
  private let root: Int
  /// The places of the entities.
  private var entities: [String: Int] = [:]
  /// The places of their own properties.
  private var properties: [String: [String: Int]] = [:]
  private let superentities: [String: String]
  private var userInfo = KeyedArchiveWriter.null

  init(_ model: StoredModel) {
    self.model = model
    superentities = Dictionary(
      model.entities.compactMap { entity in entity.superentity.map { (entity.name, $0) } }
    ) { first, _ in first }
    root = archive.reserve()
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for property in entity.allProperties {
        properties[entity.name, default: [:]][property.name] = archive.reserve()
      }
    }
  }

  mutating func bytes() -> [UInt8] {
    let empty = PropertyListTree.array([])
    userInfo = archive.object(["NSDictionary"], with: ["NS.keys": empty, "NS.objects": empty])
    let list = archive.dictionary(
      model.entities.map { ($0.name, place(ofEntity: $0.name)) })
    let identifiers = archive.set(model.versionIdentifiers.map { archive.text($0) })
    archive.object(
      ["NSManagedObjectModel"],
      with: [
        "NSEntities": .reference(list), "NSFetchRequestTemplates": .null,
        "NSVersionIdentifiers": .reference(identifiers),
      ], at: root)
    for entity in model.entities { write(entity) }
    return archive.bytes(root: root)
  }

  func place(ofEntity name: String) -> Int { entities[name] ?? KeyedArchiveWriter.null }

  /// The place of a property of an entity, which may be declared by a superentity.
  func place(of property: String, in entity: String) -> Int {
    var next: String? = entity
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted {
      if let place = properties[name]?[property] { return place }
      next = superentities[name]
    }
    return KeyedArchiveWriter.null
  }

  private mutating func write(_ entity: EntityDescription) {
    let children = model.entities.filter { $0.superentity == entity.name }
    let subentities = archive.dictionary(children.map { ($0.name, place(ofEntity: $0.name)) })
    for property in entity.allProperties { write(property, of: entity.name) }
    let properties = archive.dictionary(
      entity.allProperties.map { ($0.name, place(of: $0.name, in: entity.name)) })
    var fields: [String: PropertyListTree] = [
      "NSEntityName": .reference(archive.text(entity.name)), "NSClassNameForEntity": .null,
      "NSRenamingIdentifier": .reference(archive.text(entity.originalNames.last ?? entity.name)),
      "NSManagedObjectModel": .reference(root), "NSUserInfo": .reference(userInfo),
      "NSSuperentity": .reference(entity.superentity.map { place(ofEntity: $0) } ?? 0),
      "NSSubentities": .reference(subentities), "NSProperties": .reference(properties),
      "NSVersionHashModifier": entity.versionHashModifier.map { .reference(archive.text($0)) }
        ?? .null,
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    addConstraints(of: entity, to: &fields)
    addIndexes(of: entity, to: &fields)
    archive.object(["NSEntityDescription"], with: fields, at: place(ofEntity: entity.name))
  }

  private mutating func addConstraints(
    of entity: EntityDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard !entity.uniquenessConstraints.isEmpty else { return }
    let constraints = entity.uniquenessConstraints.map { names($0) }
    fields["NSUniqueTuples"] = .reference(archive.array(constraints))
  }

  /// An array of texts.
  mutating func names(_ names: [String]) -> Int {
    archive.array(names.map { archive.text($0) })
  }
}

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
      classNames + ["NSPropertyDescription"], with: fields, at: place(of: property.name, in: entity)
    )
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
    if let name = attribute.compositeName {
      fields[ArchivedElements.nameKey] = .reference(archive.text(name))
    }
    fields["NSValueTransformerName"] = .reference(archive.text(attribute.valueTransformerName))
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
      // A composite attribute has no column, its elements have.
      (isOptional, isTransient) = (attribute.isOptional, !attribute.hasColumn)
      (isOrdered, modifier) = (false, attribute.versionHashModifier)
    case .relationship(let relationship):
      (isOptional, isTransient) = (relationship.isOptional, relationship.isTransient)
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

extension ModelWriter {
  /// The place of an attribute's default; that of nil where it has none that Core Data could use.
  mutating func defaultValue(of attribute: AttributeDescription) -> Int {
    guard case .constant(let scalar) = attribute.defaultValue else {
      return KeyedArchiveWriter.null
    }
    switch (attribute.type, scalar) {
    case (.boolean, .integer(let value)): return archive.append(.boolean(value != 0))
    case (.integer16, .integer(let value)), (.integer32, .integer(let value)),
      (.integer64, .integer(let value)):
      return archive.append(.integer(Int(value)))
    case (.double, .real(let value)), (.float, .real(let value)):
      return archive.append(.real(value))
    case (.date, .real(let value)):
      return archive.object(["NSDate"], with: ["NS.time": .real(value)])
    case (.string, .text(let value)): return archive.text(value)
    case (.uri, .text(let value)):
      return archive.object(
        ["NSURL"], with: ["NS.base": .null, "NS.relative": .reference(archive.text(value))])
    case (.decimal, .text(let value)): return archive.decimal(value)
    case (.binary, .blob(let value)): return archive.append(.data(Array(value)))
    case (.uuid, .blob(let value)):
      return archive.object(["NSUUID"], with: ["NS.uuidbytes": .data(Array(value))])
    // A transformable default is JSON, which no transformer of Core Data's would take.
    default: return KeyedArchiveWriter.null
    }
  }
}

extension AttributeType {
  /// The class of an attribute's values in Core Data; nil where a transformer makes them.
  var archivedClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .transformable, .composite, .undefined: nil
    }
  }
}

extension ModelWriter {
  /// What a derived attribute has beside the others: its expression, which is a function of key paths, or one
  /// key path.
  mutating func addDerivation(
    of attribute: AttributeDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard let derived = attribute.derived else { return }
    fields["NSDerivationExpression"] = .reference(expression(Substring(derived.description)))
    fields["NSFilteringPredicate"] = .null
  }

  private mutating func expression(_ text: Substring) -> Int {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else {
      return keyPath(String(text))
    }
    let receiver = archive.object(
      ["NSConstantValueExpression", "NSExpression"],
      with: [
        "NSExpressionType": .integer(0),
        "NSConstantValueClassName": .reference(archive.text("_NSPredicateUtilities")),
      ])
    var arguments: [Int] = []
    for argument in Self.arguments(text[text.index(after: open)...].dropLast()) {
      arguments.append(expression(argument))
    }
    return archive.object(
      ["NSFunctionExpression", "NSExpression"],
      with: [
        "NSExpressionType": .integer(4), "NSOperand": .reference(receiver),
        "NSSelectorName": .reference(archive.text(String(text[..<open]))),
        "NSArguments": .reference(archive.array(arguments)),
      ])
  }

  /// What stands between the commas that are in no inner parentheses.
  private static func arguments(_ text: Substring) -> [Substring] {
    if text.isEmpty { return [] }
    var depth = 0
    return text.split { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return character == "," && depth == 0
    }.map { $0.drop(while: \.isWhitespace) }
  }

  private mutating func keyPath(_ name: String) -> Int {
    let receiver = archive.object(
      ["NSSelfExpression", "NSExpression"], with: ["NSExpressionType": .integer(1)])
    let step = archive.object(
      ["NSKeyPathSpecifierExpression", "NSExpression"],
      with: ["NSExpressionType": .integer(10), "NSKeyPath": .reference(archive.text(name))])
    let arguments = archive.object(
      ["NSMutableArray", "NSArray"], with: ["NS.objects": .array([.reference(step)])])
    return archive.object(
      ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression"],
      with: [
        "NSExpressionType": .integer(3), "NSOperand": .reference(receiver),
        "NSSelectorName": .reference(archive.text("valueForKey:")),
        "NSArguments": .reference(arguments),
      ])
  }
}

extension ModelWriter {
  /// Indexes, and their older form beside them, as Xcode writes both.
  mutating func addIndexes(
    of entity: EntityDescription, to fields: inout [String: PropertyListTree]
  ) {
    guard !entity.indexes.isEmpty else { return }
    let indexes = entity.indexes.map { write($0, of: entity.name) }
    fields["NSFetchIndexDescriptions"] = .reference(archive.array(indexes))
    let compound = entity.indexes.map(\.properties).filter { $0.count > 1 }.map { names($0) }
    fields["NSCompoundIndexes"] = .reference(archive.array(compound))
  }

  private mutating func write(_ index: IndexDescription, of entity: String) -> Int {
    let place = archive.reserve()
    let elements = index.properties.map { property in
      archive.object(
        ["NSFetchIndexElementDescription"],
        with: [
          "NSPropertyName": .reference(archive.text(property)),
          "NSAscending": .boolean(!index.descending.contains(property)),
          "NSFetchIndexElementType": .integer(0), "NSFetchIndexDescription": .reference(place),
        ])
    }
    return archive.object(
      ["NSFetchIndexDescription"],
      with: [
        "NSIndexName": .reference(archive.text(index.name)), "NSPartialIndexPredicate": .null,
        "NSIndexElements": .reference(archive.array(elements)),
        "NSEntity": .reference(self.place(ofEntity: entity)),
      ], at: place)
  }
}
