import CauldronModel
import Foundation

extension ModelReader {
  /// The default of an attribute; nil where there is none, or none that its type allows.
  mutating func defaultValue(
    of object: ArchivedObject, as type: AttributeType
  ) throws(StoredModelFailure) -> AttributeScalar? {
    guard let reference = object.reference("NSDefaultValue") else { return nil }
    let value = try archive.value(reference)
    if case .dictionary = value {
      // Of a transformable attribute this is an object of the program's own.
      guard type != .transformable else { return nil }
      return try scalar(of: archive.object(reference), as: type)
    }
    return Self.scalar(of: value, as: type)
  }

  /// A value that property lists know themselves.
  private static func scalar(
    of value: PropertyListObject, as type: AttributeType
  ) -> AttributeScalar? {
    switch (type, value) {
    case (.string, .text(let text)): return .text(text)
    case (.binary, .data(let bytes)): return .blob(Data(bytes))
    case (.date, .date(let seconds)) where !seconds.isNaN: return .real(seconds)
    case (.boolean, _): return value.number.map { .integer($0 == 0 ? 0 : 1) }
    case (.integer16, _), (.integer32, _), (.integer64, _):
      guard let range = type.integerRange, let number = value.wholeNumber,
        range.contains(number)
      else { return nil }
      return .integer(number)
    case (.double, _), (.float, _):
      guard let number = value.number, !number.isNaN else { return nil }
      return .real(type == .float ? Double(Float(number)) : number)
    case (.decimal, .integer(let number)): return .text("\(number)")
    case (.decimal, .real(let number)):
      return DecimalNumber("\(number)").map { .text($0.description) }
    default: return nil
    }
  }

  /// A value that is archived as an object of Foundation.
  private mutating func scalar(
    of object: ArchivedObject, as type: AttributeType
  ) throws(StoredModelFailure) -> AttributeScalar? {
    switch type {
    case .date:
      guard let seconds = object.values["NS.time"]?.number, !seconds.isNaN else { return nil }
      return .real(seconds)
    case .uuid:
      guard let bytes = object.data("NS.uuidbytes"), bytes.count == 16 else { return nil }
      return .blob(Data(bytes))
    case .uri:
      guard object.reference("NS.base") == nil else { return nil }
      return try archive.text(object.reference("NS.relative")).map { .text($0) }
    case .binary: return object.data("NS.data").map { .blob(Data($0)) }
    case .string: return try archive.text(object.reference("NS.string")).map { .text($0) }
    case .decimal: return Self.decimal(object).map { .text($0) }
    default: return nil
    }
  }

  private static func decimal(_ object: ArchivedObject) -> String? {
    guard let mantissa = object.data("NS.mantissa"), let length = object.integer("NS.length"),
      let exponent = object.integer("NS.exponent")
    else { return nil }
    let decimal = ArchivedDecimal(
      mantissa: mantissa, length: length, isBigEndian: object.integer("NS.mantissa.bo") == 2,
      exponent: exponent, isNegative: object.flag("NS.negative"))
    return decimal?.text
  }
}

extension ArchivedObject {
  fileprivate func data(_ key: String) -> [UInt8]? {
    guard case .data(let bytes) = values[key] else { return nil }
    return bytes
  }
}

extension PropertyListObject {
  /// The value as a whole number; nil where it is none.
  fileprivate var wholeNumber: Int64? {
    if case .integer(let value) = self { return Int64(value) }
    return number.flatMap { Int64(exactly: $0) }
  }
}

extension ModelReader {
  /// What an attribute is derived from; nil for all but the count of a relationship.
  mutating func derivation(_ object: ArchivedObject) throws(StoredModelFailure) -> String? {
    guard let reference = object.reference("NSDerivationExpression"),
      object.reference("NSFilteringPredicate") == nil
    else { return nil }
    let function = try archive.object(reference)
    guard function.className == "NSFunctionExpression",
      try archive.text(function.reference("NSSelectorName")) == "count:",
      let path = try onlyArgument(function), path.className == "NSKeyPathExpression",
      let step = try onlyArgument(path),
      let name = try archive.text(step.reference("NSKeyPath")), !name.contains(".")
    else { return nil }
    return AttributeDescription.count(of: name)
  }

  private mutating func onlyArgument(
    _ expression: ArchivedObject
  ) throws(StoredModelFailure) -> ArchivedObject? {
    guard let reference = expression.reference("NSArguments") else { return nil }
    let arguments = try archive.elements(reference)
    return arguments.count == 1 ? try archive.object(arguments[0]) : nil
  }
}

extension StoredModel {
  /// Leaves out the derived attributes that no model here can have.
  mutating func dropUnsupportedCounts() {
    guard entities.contains(where: { $0.properties.contains(where: \.isDerived) }) else { return }
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    let relationships = byName.mapValues { entity in
      Dictionary(entity.relationships.map { ($0.name, $0) }) { first, _ in first }
    }
    var lacking: Set<String> = []
    for index in entities.indices {
      let entity = entities[index]
      let wrong = Set(
        entity.properties.filter {
          $0.isDerived && !$0.isCountable(in: entity, byName, relationships)
        }.map(\.name))
      if wrong.isEmpty { continue }
      entities[index].properties.removeAll { wrong.contains($0.name) }
      entities[index].indexes.removeAll { !wrong.isDisjoint(with: $0.properties) }
      entities[index].uniquenessConstraints.removeAll { !wrong.isDisjoint(with: $0) }
      lacking.insert(entity.name)
    }
    for entity in entities where !lacking.isDisjoint(with: entity.line(byName)) {
      open.insert(entity.name)
    }
  }
}

extension PropertyDescription {
  /// Whether it is an attribute that a store computes.
  var isDerived: Bool {
    if case .attribute(let attribute) = self { attribute.derivation != nil } else { false }
  }

  /// Whether a model can have it: a model is asked that has nothing else that could be wrong.
  fileprivate func isCountable(
    in entity: EntityDescription, _ entities: [String: EntityDescription],
    _ relationships: [String: [String: RelationshipDescription]]
  ) -> Bool {
    guard case .attribute(let attribute) = self, let name = attribute.countedRelationship,
      entity.superentity == nil, let relationship = relationships[entity.name]?[name],
      let destination = entities[relationship.destination],
      !destination.line(entities).contains(entity.name), let end = relationship.inverse,
      let inverse = relationships[destination.name]?[end]
    else { return false }
    let owner = EntityDescription(
      name: entity.name, properties: [self, .relationship(relationship)],
      uniquenessConstraints: entity.uniquenessConstraints.filter { $0 == [attribute.name] })
    let other = EntityDescription(name: destination.name, properties: [.relationship(inverse)])
    return (try? ManagedObjectModel(entities: [owner, other])) != nil
  }
}

extension EntityDescription {
  /// The entity's name and those of its superentities.
  fileprivate func line(_ entities: [String: EntityDescription]) -> [String] {
    var names = [name]
    var seen: Set = [name]
    var next = superentity
    while let name = next, seen.insert(name).inserted {
      names.append(name)
      next = entities[name]?.superentity
    }
    return names
  }
}
