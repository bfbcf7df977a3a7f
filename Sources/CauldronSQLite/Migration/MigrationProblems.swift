import CauldronModel
import CauldronStore

/// What no data could make possible.
struct MigrationProblems {
  let mapping: ModelMapping
  /// Whether steps run that may give values to what is new and required; then they are looked for later.
  var hasSteps = false

  /// Every problem of the two models.
  var found: [CauldronError] {
    mapping.ambiguities.map(ambiguous) + mapping.destination.entityLayouts.flatMap(problems)
  }

  private func ambiguous(_ name: String) -> CauldronError {
    CauldronError(
      .migrationCannotInfer, "\(name) might go on with more than one thing of the store.",
      hint: "Give what is new an originalName of its own, such as \"\(name.lowercased()).2\".")
  }

  private func problems(_ layout: EntityLayout) -> [CauldronError] {
    guard mapping.source(of: layout) != nil else { return [] }
    return mapping.judged(layout).filter(\.isStored).compactMap { property in
      guard let old = mapping.source(of: property, in: layout) else {
        return missing(property, in: layout)
      }
      return property.isRelationship
        ? relationship(property, from: old, in: layout) : attribute(property, from: old, in: layout)
    }
  }

  /// Something new and required that old objects could not have.
  private func missing(_ property: PropertyLayout, in layout: EntityLayout) -> CauldronError? {
    guard property.isRequired, !property.hasDefault else { return nil }
    if hasSteps, property.hasColumn { return nil }
    let what = property.isRelationship ? "relationship" : "attribute"
    return CauldronError(
      .migrationMissingValue,
      "\(layout.name).\(property.name) is new and required, and the objects of the store have none.",
      hint: property.isRelationship
        ? "Make the \(what) optional." : "Give the \(what) a default value, or make it optional."
    ).about(layout, property: property)
  }

  private func attribute(
    _ property: PropertyLayout, from old: PropertyLayout, in layout: EntityLayout
  ) -> CauldronError? {
    if old.hasExternalData { return external(old, in: layout) }
    guard let new = property.attributeType, let type = old.attributeType, new != type,
      !new.takes(type)
    else { return nil }
    return CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(property.name) was \(old.typeName) and is \(property.typeName): nobody says how"
        + " a value becomes another.",
      hint:
        "Give the property another name, and discard \"\(old.name): \(old.typeName)\" or bring the"
        + " values over in code before."
    ).about(layout, property: property)
  }

  /// Cells that begin with a byte which tells where the value is would be taken for the value.
  private func external(_ old: PropertyLayout, in layout: EntityLayout) -> CauldronError {
    CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(old.name) may have its values in files beside the store"
        + " (allowsExternalBinaryDataStorage), which is not supported.",
      hint: "Migrate the store with the program that made it."
    ).about(layout, property: old)
  }

  private func relationship(
    _ property: PropertyLayout, from old: PropertyLayout, in layout: EntityLayout
  ) -> CauldronError? {
    guard let now = property.destination?.entity, let before = old.destination?.entity else {
      return nil
    }
    let mapped = mapping.destination(of: before)
    let isSame = mapped.map { $0.isKind(of: now) || now.isKind(of: $0) } ?? false
    let isPossible =
      property.kind == old.kind
      ? (property.join == nil) == (old.join == nil) || old.join == nil
      : property.join != nil
    if isSame, isPossible { return parted(property, from: old, in: layout) }
    return CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(property.name) led to \(old.typeName) and leads to \(property.typeName):"
        + " nobody says which objects.",
      hint: "Give the relationship another name, and discard \"\(old.name): \(old.typeName)\"."
    ).about(layout, property: property)
  }

  /// Both sides of a one-to-one keep values, which must not come from two relationships, or only one of
  /// them from any.
  private func parted(
    _ property: PropertyLayout, from old: PropertyLayout, in layout: EntityLayout
  ) -> CauldronError? {
    guard property.kind == .toOne, let end = property.destination, let oldEnd = old.destination
    else { return nil }
    let inverse = end.entity.properties[end.inverse]
    guard inverse.kind == .toOne else { return nil }
    let before = mapping.source(of: inverse, in: end.entity)
    if let before, oldEnd.entity.properties[oldEnd.inverse].name == before.name { return nil }
    return CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(property.name) goes on, and \(end.entity.name).\(inverse.name), its other side,"
        + " is another one: nobody says what that leads to.",
      hint:
        "Give both the originalName of one relationship, or give \(property.name) another name and"
        + " discard \"\(old.name): \(old.typeName)\"."
    ).about(layout, property: property)
  }

  /// Rows of two tables have the same keys.
  static func twoTables(of family: [EntityLayout], tables: [TableSchema]) -> CauldronError {
    CauldronError(
      .migrationCannotInfer,
      "The objects of \(family[0].name) would come from the tables"
        + " \(tables.map(\.name).joined(separator: " and ")), where they have the same keys.",
      hint: "Copy one of them in code, to a new entity.")
  }
}

extension CauldronError {
  /// The same error, about a property.
  func about(_ layout: EntityLayout, property: PropertyLayout) -> CauldronError {
    with {
      $0.entity = layout.name
      $0.property = property.name
    }
  }
}

extension AttributeType {
  /// Whether every value of another type, or every one in range, is a value of this type.
  func takes(_ other: AttributeType) -> Bool {
    if integerRange != nil { return other.integerRange != nil }
    switch self {
    case .double: return other.integerRange != nil || other == .float
    // A Double has digits that a Float has no room for.
    case .float: return other.integerRange != nil
    case .decimal: return other.integerRange != nil
    case .string: return other == .uri
    default: return false
    }
  }
}

// What data forbid a migration.
extension CauldronError {
  static func missingValues(
    of property: PropertyLayout, in layout: EntityLayout, state: String,
    found: MigrationStatements.Found
  ) -> CauldronError {
    CauldronError(
      .migrationMissingValue,
      "\(layout.name).\(property.name) \(state), and \(found.count) objects have no value\(found.when),"
        + " such as \(found.objects).",
      hint: found.isAfterSteps
        ? "Give each object a value in a step, or make the property optional."
        : "Give the property a default value, or make it optional."
    ).about(layout, property: property)
  }

  static func outOfRange(
    _ property: PropertyLayout, in layout: EntityLayout, found: MigrationStatements.Found
  ) -> CauldronError {
    CauldronError(
      .migrationOutOfRange,
      "\(layout.name).\(property.name) has become \(property.typeName), and \(found.count) values are"
        + " none\(found.when), such as \(found.examples.joined(separator: ", ")).",
      hint: "Keep the type, or change the values \(found.isAfterSteps ? "in a step" : "before")."
    ).about(layout, property: property)
  }

  static func strayLinks(
    _ property: PropertyLayout, in layout: EntityLayout, found: MigrationStatements.Found
  ) -> CauldronError {
    CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(property.name) leads to \(property.typeName), and \(found.count) links\(found.when)"
        + " lead to others, such as those of \(found.objects).",
      hint: "Lead these to \(property.typeName) or to nothing before, or keep what it led to."
    ).about(layout, property: property)
  }

  static func duplicates(
    _ constraint: TableSchema.Constraint, state: String, found: MigrationStatements.Found
  ) -> CauldronError {
    let properties = constraint.properties.joined(separator: ", ")
    return CauldronError(
      .migrationNotUnique,
      "\(constraint.entity): \(properties) \(state), and \(found.count) values are there more than"
        + " once\(found.when), such as \(found.examples.joined(separator: "; ")).",
      hint: found.isAfterSteps ? "Merge these objects in a step." : "Merge these objects before."
    ).with { $0.entity = constraint.entity }
  }
}

extension MigrationStatements.Found {
  /// As part of a sentence; empty before anything is written.
  fileprivate var when: String { isAfterSteps ? " after the steps" : "" }

  /// The examples where they are keys of objects.
  fileprivate var objects: String { examples.map { "p\($0)" }.joined(separator: ", ") }
}
