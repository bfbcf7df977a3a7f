import CauldronGraph
import CauldronModel
import CauldronStore

/// By what the objects of an entity are found: one attribute, or several that are unique together.
final class KeyPlan: Sendable {
  /// The attributes, in the order of their constraint; at least one.
  let parts: [AttributePlan]
  /// The unique key that the attributes are; nil where nothing says that they are unique.
  let unique: UniqueKey?
  /// Reads the values of the unique key; nil where there is none.
  let values: UniqueValue?
  /// The entity that declares the attributes: all that have them are below.
  unowned(unsafe) let scope: EntityLayout
  let place: KeyPlace

  /// The key that is one attribute.
  init(_ attribute: AttributePlan, unique: UniqueKey?, scope: EntityLayout) {
    parts = [attribute]
    self.unique = unique
    values = unique.map(UniqueValue.init)
    self.scope = scope
    place = KeyPlace(attribute)
  }

  /// The key that several attributes are together.
  init(_ parts: [AttributePlan], unique: UniqueKey, of entity: EntityLayout) {
    self.parts = parts
    self.unique = unique
    values = UniqueValue(unique)
    scope = entity.scope(of: unique)
    place = KeyPlace(unique, of: scope)
  }

  /// The only attribute; nil where there are several.
  var only: AttributePlan? { parts.count == 1 ? parts[0] : nil }

  /// Whether an attribute identifies the objects, by itself or together with others.
  func has(_ index: Int) -> Bool { parts.contains { $0.index == index } }

  /// Whether an entity keeps the attributes unique.
  func isUnique(in entity: EntityLayout) -> Bool {
    guard let unique else { return false }
    return entity.rootNumber == scope.rootNumber
      && entity.uniqueKeys.contains { $0.number == unique.number }
  }
}

// What objects have.
extension KeyPlan {
  /// The value that an object shows.
  func value(of object: ManagedObject) -> KeyValue {
    if let only { return .one(object.importedScalar(at: only.index, storage: only.storage)) }
    return .several(parts.map { object.importedScalar(at: $0.index, storage: $0.storage) })
  }

  /// Gives a new object a value.
  func set(_ value: KeyValue, of object: ManagedObject) {
    switch value {
    case .one(let scalar): object.setScalar(at: parts[0].index, to: scalar)
    case .several(let scalars):
      for (part, scalar) in zip(parts, scalars) { object.setScalar(at: part.index, to: scalar) }
    }
  }

  /// What a value says of one attribute; nil for attributes that have no part in the key.
  func scalar(_ index: Int, of value: KeyValue) -> AttributeScalar? {
    switch value {
    case .one(let scalar): parts[0].index == index ? scalar : nil
    case .several(let scalars): zip(parts, scalars).first { $0.0.index == index }?.1
    }
  }

  /// The names of keys that one part of this one is by itself, and what a value says of it.
  func sideKeys(of value: KeyValue) -> [KeyRef] {
    guard case .several(let scalars) = value else { return [] }
    return zip(parts, scalars).compactMap { $0.isSideKey ? KeyRef($0, $1) : nil }
  }
}

// What sentences say of it.
extension KeyPlan {
  /// `code`, or `rank and number`.
  var name: String { parts.map(\.name).joined(separator: " and ") }

  /// `code "x"`, or `rank "a" and number 1`.
  func shown(_ value: KeyValue) -> String {
    zip(parts, value.all).map { "\($0.name) \($1.shown)" }.joined(separator: " and ")
  }

  /// The names under which records have the parts, such as `"rank" and "number"`.
  var places: String {
    let names = parts.map { "\"\($0.paths.first?.text ?? $0.name)\"" }
    guard let last = names.last, names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension AttributeScalar {
  /// The value in a sentence.
  var shown: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text): JSONText.quoted(text)
    case .blob: "these bytes"
    }
  }
}

/// Objects, named by what identifies them in an import.
struct KeyRef: Hashable {
  let place: KeyPlace
  let value: KeyValue

  init(_ place: KeyPlace, _ value: KeyValue) {
    self.place = place
    self.value = value
  }

  init(_ key: KeyPlan, _ value: KeyValue) { self.init(key.place, value) }

  init(_ attribute: AttributePlan, _ value: AttributeScalar) {
    self.init(KeyPlace(attribute), .one(value))
  }
}

/// By what objects are found.
struct KeyPlace: Hashable {
  /// The number of the entity that has the key, and above which none has it.
  private let entity: Int32
  /// The index of the only attribute; of several together the number of their constraint, counted
  /// down from -1.
  private let number: Int32

  /// That of one attribute.
  init(_ attribute: AttributePlan) {
    entity = attribute.scope
    number = Int32(attribute.index)
  }

  /// That of attributes which are unique together.
  init(_ key: UniqueKey, of scope: EntityLayout) {
    entity = scope.number
    number = -1 - Int32(key.number)
  }
}

/// What an object has as its key: one value, or one for each of several attributes.
enum KeyValue: Hashable, Sendable {
  case one(AttributeScalar)
  /// In the order of the key's parts.
  case several([AttributeScalar])

  /// The values of all parts.
  var all: [AttributeScalar] {
    switch self {
    case .one(let value): [value]
    case .several(let values): values
    }
  }

  /// Whether one of the parts has no value, so that no object is meant.
  var isNull: Bool {
    switch self {
    case .one(let value): value.isNull
    case .several(let values): values.contains(where: \.isNull)
    }
  }

  static func == (a: KeyValue, b: KeyValue) -> Bool {
    switch (a, b) {
    case (.one(let a), .one(let b)): a == b
    case (.several(let a), .several(let b)): a == b
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .one(let value): value.hash(into: &hasher)
    case .several(let values): for value in values { value.hash(into: &hasher) }
    }
  }
}

/// The attributes by which the objects of an entity are found, and what has chosen them.
struct KeyChoice {
  /// One, or several that are unique together.
  let names: [String]
  /// Whether the class says so, which can see to it that the attribute is unique; what a model editor has
  /// noted, and what the options of an import say, is taken as it is.
  let mustBeUnique: Bool
  /// Whether the attribute's name alone makes it the key, which is no reason for a warning.
  var isUsual = false

  init(name: String, mustBeUnique: Bool, isUsual: Bool = false) {
    names = [name]
    self.mustBeUnique = mustBeUnique
    self.isUsual = isUsual
  }

  private init(_ key: UniqueKey) {
    names = key.names
    mustBeUnique = true
  }

  /// The key of an entity itself: by the options, by its own mark, by a model editor's note, its
  /// only unique attribute, MagicalRecord's choice, or the only attributes that are unique together;
  /// nil where there is none.
  static func own(
    of entity: EntityLayout, mapping: ImportMapping?, warn: (String) -> Void
  ) -> KeyChoice? {
    if mapping?.alwaysInserts == true { return nil }
    if let key = mapping?.key { return KeyChoice(name: key, mustBeUnique: false) }
    if let choice = declared(for: entity, warn: warn) { return choice }
    let unique = entity.uniqueKeys.filter { $0.properties.allSatisfy { $0.attributeType != nil } }
    let single = unique.filter { $0.properties.count == 1 }
    if single.count == 1 { return KeyChoice(single[0]) }
    if let choice = usual(entity) { return choice }
    // Which of several is meant, nothing says.
    let together = unique.filter { $0.properties.allSatisfy { $0.derivation == nil } }
    return single.isEmpty && together.count == 1 ? KeyChoice(together[0]) : nil
  }

  /// `personID` of a Person and of the entities below it, which need not be unique.
  private static func usual(_ entity: EntityLayout) -> KeyChoice? {
    var step: EntityLayout? = entity
    while let layout = step {
      let name = layout.name.prefix(1).lowercased() + layout.name.dropFirst() + "ID"
      if layout.hasAttribute(name) {
        return KeyChoice(name: name, mustBeUnique: false, isUsual: true)
      }
      step = layout.superentity
    }
    return nil
  }

  /// The key that the entity or one above it has a mark or a note for.
  private static func declared(for entity: EntityLayout, warn: (String) -> Void) -> KeyChoice? {
    var step: EntityLayout? = entity
    while let layout = step {
      if let key = layout.description.importKey {
        // Only the author of the class can mark the attribute.
        let isOfClass = layout.description.managedObjectClass != nil
        return KeyChoice(name: key, mustBeUnique: isOfClass)
      }
      let info = layout.description.userInfo
      if let key = info["relatedByAttribute"] ?? info["distinctAttribute"] {
        if entity.hasAttribute(key) { return KeyChoice(name: key, mustBeUnique: false) }
        warn(
          "\(layout.name) is noted to be found by \"\(key)\", and has no such attribute; that is ignored."
        )
      }
      step = layout.superentity
    }
    return nil
  }
}

extension EntityLayout {
  /// Whether objects of the entity have an attribute with a name.
  func hasAttribute(_ name: String) -> Bool {
    index(of: name).map { properties[$0].attributeType != nil } ?? false
  }

  /// Whether objects of the entity have a relationship with a name.
  func hasRelationship(_ name: String) -> Bool {
    index(of: name).map { properties[$0].destination != nil } ?? false
  }
}
