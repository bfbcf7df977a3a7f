import CauldronModel

// What forbids a migration. `when` is empty before anything is written, or says that steps have run.
extension CauldronError {
  static func missingValues(
    _ property: PropertyLayout, _ layout: EntityLayout, _ state: String, _ count: Int,
    _ keys: [String], when: String
  ) -> CauldronError {
    CauldronError(
      .migrationMissingValue,
      "\(layout.name).\(property.name) \(state), and \(count) objects have no value\(when),"
        + " such as \(objects(keys)).",
      hint: when.isEmpty
        ? "Give the property a default value, or make it optional."
        : "Give each object a value in a step, or make the property optional."
    ).about(layout, property)
  }

  static func outOfRange(
    _ property: PropertyLayout, _ layout: EntityLayout, _ count: Int, _ values: [String],
    when: String
  ) -> CauldronError {
    CauldronError(
      .migrationOutOfRange,
      "\(layout.name).\(property.name) has become \(property.typeName), and \(count) values are"
        + " none\(when), such as \(values.joined(separator: ", ")).",
      hint: "Keep the type, or change the values \(when.isEmpty ? "before" : "in a step")."
    ).about(layout, property)
  }

  static func strayLinks(
    _ property: PropertyLayout, _ layout: EntityLayout, _ count: Int, _ keys: [String],
    when: String
  ) -> CauldronError {
    CauldronError(
      .migrationCannotInfer,
      "\(layout.name).\(property.name) leads to \(property.typeName), and \(count) links\(when) lead to"
        + " others, such as those of \(objects(keys)).",
      hint: "Lead these to \(property.typeName) or to nothing before, or keep what it led to."
    ).about(layout, property)
  }

  static func duplicates(
    _ constraint: TableSchema.Constraint, _ state: String, _ count: Int, _ values: [String],
    when: String
  ) -> CauldronError {
    CauldronError(
      .migrationNotUnique,
      "\(constraint.entity): \(constraint.properties.joined(separator: ", ")) \(state), and \(count)"
        + " values are there more than once\(when), such as \(values.joined(separator: "; ")).",
      hint: when.isEmpty ? "Merge these objects before." : "Merge these objects in a step."
    ).with { $0.entity = constraint.entity }
  }

  private static func objects(_ keys: [String]) -> String {
    keys.map { "p\($0)" }.joined(separator: ", ")
  }
}
