import CauldronGraph
import CauldronModel

/// How the objects of one entity are imported.
struct EntityPlan: Sendable {
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
  /// Whether an object with nothing but its key would miss something.
  let stubMisses: [String]

  /// Whether a record can be refused after something of it was set.
  var needsUndo: Bool {
    !hooks.isDisjoint(with: [.importing, .validation]) || !imported.isEmpty
      || entity.digest.toOnes.contains(where: \.isRequired) || !entity.digest.counted.isEmpty
      || !entity.digest.countedByOthers.isEmpty
  }

  /// Whether the class sees to required values itself.
  var mayFill: Bool { !hooks.isDisjoint(with: [.awakeFromInsert, .willSave]) }
}

/// By what the objects of an entity are found.
struct KeyPlan: Sendable {
  let property: PropertyLayout
  /// The unique key that is the attribute; nil where nothing says that it is unique.
  let unique: UniqueKey?
  let attribute: AttributePlan
}

/// How an attribute is imported.
struct AttributePlan: Sendable {
  let index: Int
  let name: String
  let storage: StorageClass
  let paths: [SourcePath]
  let mapping: AttributeImport
  let coercion: Coercion
  let isRequired: Bool
  let defaultValue: AttributeDescription.Default
  /// What a save would ask of a value.
  let rules: [RuleTest]

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
struct RelationshipPlan: Sendable {
  let index: Int
  let name: String
  let paths: [SourcePath]
  let mapping: RelationshipImport
  let isToMany: Bool
  let isOrdered: Bool
  /// The number of the destination's plan.
  let destination: Int
}
