import CauldronGraph
import CauldronModel
import CauldronQuery
import CauldronStore

// Classes, so that asking for one record after the other copies nothing.

/// How the objects of one entity are imported.
///
/// `@unchecked Sendable` because it is written while the plan is compiled, and only read afterwards.
final class EntityPlan: @unchecked Sendable {
  /// That of new objects.
  unowned(unsafe) let entity: EntityLayout
  /// That in which objects are looked for: the destination of a relationship.
  unowned(unsafe) let family: EntityLayout
  /// By what objects are found; nil where every record is a new one.
  let key: KeyPlan?
  var attributes: [AttributePlan] = []
  var relationships: [RelationshipPlan] = []
  /// What the class overrides.
  let hooks: _ObjectHooks
  /// The properties for which the class has functions of its own.
  let imported: Set<String>
  /// What is required of an object and comes neither with its key nor by default.
  let lacks: [String]
  /// Whether somebody has said that every record is a new object.
  var alwaysInserts = false
  /// What decides which entity a record is of; nil where that is the plan's.
  var choice: Choice?
  /// What there may be once only, and is not looked at whenever it is set.
  var extraKeys: [UniqueKey] = []
  /// Attributes by which objects are found together, though they are not the key of the plan itself.
  var sideKeys: [KeyPlan] = []

  init(
    entity: EntityLayout, family: EntityLayout, key: KeyPlan?, hooks: _ObjectHooks,
    imported: Set<String>, lacks: [String]
  ) {
    self.entity = entity
    self.family = family
    self.key = key
    self.hooks = hooks
    self.imported = imported
    self.lacks = lacks
  }

  /// What a field of a record says of its entity.
  struct Choice {
    /// Where the field is.
    let paths: [SourcePath]
    /// The numbers of the plans, by what the field says.
    let plans: [String: Int]
  }

  /// Whether objects of the class are asked whether they want to be imported.
  var isAsked: Bool { hooks.contains(.importing) }

  /// Whether several attributes identify an object, so that its key is a record with these.
  var isFoundTogether: Bool { key.map { $0.only == nil } ?? false }

  /// Whether a record can be refused after something of it was set.
  var needsUndo: Bool {
    !hooks.isDisjoint(with: [.importing, .validation]) || !imported.isEmpty
      || entity.digest.toOnes.contains(where: \.isRequired) || !entity.digest.counted.isEmpty
      || !entity.digest.countedByOthers.isEmpty || !extraKeys.isEmpty || mayFill
      || relationships.contains(where: \.inverseIsRequired)
  }

  /// Whether the class may see to required values itself, which shows when it has.
  var mayFill: Bool {
    !lacks.isEmpty && !hooks.isDisjoint(with: [.awakeFromInsert, .willSave])
  }

  /// Whether code of the class may read any name.
  var takesWholeRecords: Bool {
    isAsked || !imported.isEmpty || attributes.contains { $0.mapping.transform != nil }
      || relationships.contains { $0.mapping.transform != nil }
  }

  /// Whether a property is imported from a name, or from below it.
  func takes(_ name: String) -> Bool {
    let paths =
      attributes.map(\.paths) + relationships.map(\.paths)
      + (key?.parts.map(\.paths) ?? [])
    return paths.joined().contains { $0.begins(with: name) }
      || choice?.paths.contains { $0.begins(with: name) } == true
  }

  /// What an object with nothing but its key misses for certain.
  var stubMisses: [String] { mayFill ? [] : lacks }
}

/// How an attribute is imported.
///
/// `@unchecked Sendable` because it is written while the plan is compiled, and only read afterwards.
final class AttributePlan: @unchecked Sendable {
  let index: Int
  let name: String
  let storage: StorageClass
  let paths: [SourcePath]
  let mapping: AttributeImport
  let coercion: Coercion
  /// What becomes of the attribute where an empty text stands; nil where such a text is a value.
  let empty: ImportPolicy?
  let isRequired: Bool
  let defaultValue: AttributeDescription.Default
  /// What a save would ask of a value.
  let rules: [RuleTest]
  /// The number of the entity that declares it.
  let scope: Int32
  /// Whether no two objects may have the same value.
  let isUnique: Bool
  /// Whether objects are found by it, or it is unique, though it is not the key of its own plan:
  /// its value in a record decides where links of other records lead.
  var isSideKey = false
  /// Whether the class has a function of its own for it.
  let isImported: Bool

  init(
    _ property: PropertyLayout, _ attribute: AttributeDescription, _ mapping: AttributeImport,
    _ storage: StorageClass, paths: [SourcePath], _ options: ImportOptions,
    of entity: EntityLayout, isImported: Bool
  ) {
    index = property.index
    name = property.name
    self.storage = storage
    self.paths = paths
    self.mapping = mapping
    coercion = Coercion(attribute, property, mapping, options.mode)
    // A text that only an enumeration's cases can be is none.
    let isText = attribute.type == .string && attribute.readability == nil
    empty = mapping.empty ?? (isText ? nil : options.empty)
    isRequired = property.isRequired
    defaultValue = attribute.defaultValue
    rules = entity.digest.rules.filter { $0.index == property.index }
    scope = entity.owner(of: property).number
    isUnique = entity.uniqueKeys.contains { $0.names == [property.name] }
    self.isImported = isImported
  }

  /// The policy for a value that is an empty text and stands for none; nil for other values.
  func policy(forEmpty value: JSONValue) -> ImportPolicy? {
    empty.flatMap { value.isBlank ? $0 : nil }
  }

  /// The default; null where there is none.
  var fallback: AttributeScalar {
    switch defaultValue {
    case .none: .null
    case .constant(let scalar): scalar
    case .computed(let make): make()
    }
  }
}

/// How a relationship is imported.
final class RelationshipPlan: Sendable {
  let index: Int
  let name: String
  let paths: [SourcePath]
  let mapping: RelationshipImport
  /// What becomes of the relationship where an empty text stands; nil where such a text is a key.
  let empty: ImportPolicy?
  let isToMany: Bool
  let isOrdered: Bool
  /// Whether it is many-to-many.
  let isJoined: Bool
  /// Whether the destination is abstract and nobody has named a subentity: objects are linked by their keys,
  /// and records cannot become any.
  let needsSubentity: Bool
  /// The number of the destination's plan.
  let destination: Int
  /// Whether the class has a function of its own for it.
  let isImported: Bool
  /// What leads back.
  let inverse: Inverse?
  /// The name of what leads back, where that is one object, and required.
  var requiredInverse: String? { inverseIsRequired ? inverse?.name : nil }
  /// Whether what leads back is one object, and required.
  let inverseIsRequired: Bool

  /// What matters of what leads back.
  struct Inverse {
    let index: Int
    let name: String
    let isToOne: Bool
    let isOrdered: Bool
  }

  init(
    _ property: PropertyLayout, _ mapping: RelationshipImport, paths: [SourcePath],
    empty: ImportPolicy?, destination: Int, isImported: Bool, needsSubentity: Bool
  ) {
    self.empty = mapping.empty ?? empty
    index = property.index
    name = property.name
    self.paths = paths
    self.mapping = mapping
    self.needsSubentity = needsSubentity
    isToMany = property.kind == .toMany
    isOrdered = property.isOrdered
    isJoined = property.join != nil
    self.destination = destination
    self.isImported = isImported
    let inverse = property.destination.map { $0.entity.properties[$0.inverse] }
    self.inverse = inverse.map {
      Inverse(
        index: $0.index, name: $0.name, isToOne: $0.kind == .toOne, isOrdered: $0.isOrdered)
    }
    inverseIsRequired = inverse.map { $0.kind == .toOne && $0.isRequired } ?? false
  }
}

extension RelationshipPlan {
  /// The policy for a value that is an empty text and stands for none; nil for other values.
  func policy(forEmpty value: JSONValue) -> ImportPolicy? {
    empty.flatMap { value.isBlank ? $0 : nil }
  }
}

/// The names that lead to a value in a record.
struct SourcePath: Sendable {
  /// As it was written.
  let text: String
  /// What leads to the value as a JSON pointer: along the names, and under the text as a name of its own.
  let pointer: String
  private let wholePointer: String
  private let whole: [UInt8]
  /// The names of a path with points; empty where there is none.
  private let steps: [[UInt8]]

  init(_ text: String) {
    self.text = text
    whole = Array(text.utf8)
    let parts = ImportPointer.names(text)
    steps = parts.count > 1 || text.hasPrefix("/") ? parts.map { Array($0.utf8) } : []
    pointer = parts.map { ImportPointer.step($0) }.joined()
    wholePointer = ImportPointer.step(text)
  }

  /// Whether the path is a name, or leads on from it.
  func begins(with name: String) -> Bool {
    text == name || steps.first?.elementsEqual(name.utf8) == true
  }

  /// What the names lead to; nil also where something on the way is missing, or null.
  ///
  /// A name that has points itself comes before a path.
  /// - Throws: Where one of the names stands twice in its object.
  func value(in record: JSONValue) throws(Refusal) -> (pointer: String, value: JSONValue)? {
    if let value = record.member(whole) {
      if record.isRepeated(whole) { throw Refusal(twice: whole).under(wholePointer) }
      return (wholePointer, value)
    }
    guard let first = steps.first, var value = record.member(first) else { return nil }
    if record.isRepeated(first) { throw Refusal(twice: first).under(pointer) }
    for step in steps.dropFirst() {
      guard let next = value.member(step) else { return nil }
      if value.isRepeated(step) { throw Refusal(twice: step).under(pointer) }
      value = next
    }
    return (pointer, value)
  }
}

extension [SourcePath] {
  /// What the first of the paths that leads to something leads to; null is something.
  /// - Throws: Where a name that leads there stands twice in its object.
  func value(in record: JSONValue) throws(Refusal) -> (pointer: String, value: JSONValue)? {
    for path in self {
      if let found = try path.value(in: record) { return found }
    }
    return nil
  }
}
