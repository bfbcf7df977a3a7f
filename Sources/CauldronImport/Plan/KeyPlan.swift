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
