import CauldronModel

/// What `model show` says of a mapping model: its mappings, and the code that takes the place of each.
struct MappingReport {
  let mapping: MappingModel

  init(_ mapping: MappingModel) { self.mapping = mapping }

  func write(_ console: Console) {
    let models = [mapping.source, mapping.destination].map { Self.name($0) }.joined(
      separator: " → ")
    let count = Quantity.of(mapping.entities.count, "entity mapping")
    console.write("\(console.styled("\(mapping.name)", as: .bold)): \(models), \(count)")
    for entity in mapping.entities {
      console.write()
      write(entity, to: console)
    }
  }

  private func write(_ entity: MappingModel.Entity, to console: Console) {
    let policy = entity.policy.map { ", policy \($0)" } ?? ""
    let type = entity.type == "Undefined" ? "" : " (\(entity.type.lowercased()))"
    console.write("\(console.styled("\(Self.title(entity))", as: .bold))\(type)\(policy)")
    var table = TextTable(.left, .left)
    for property in entity.properties {
      let text = property.expression?.text
      table.add(
        property.name, text ?? (entity.source == nil ? "the default" : "the value of that name"))
    }
    for line in table.lines(indent: 2, style: { $1 == 1 ? console.styled($2, as: .dim) : $2 }) {
      console.write(line)
    }
    console.write("  \(console.styled("instead:", as: .dim))")
    for line in MappingStep(entity).lines { console.write("    \(line)") }
  }

  /// The name of a version, from a path in a project.
  private static func name(_ path: String?) -> String {
    guard let last = path?.split(separator: "/").last else { return "?" }
    return last.hasSuffix(".xcdatamodel") ? String(last.dropLast(12)) : String(last)
  }

  private static func title(_ entity: MappingModel.Entity) -> String {
    switch (entity.source, entity.destination) {
    case (let source?, let destination?): "\(source) → \(destination)"
    case (let source?, nil): "− \(source)"
    case (nil, let destination): "+ \(destination ?? "?")"
    }
  }

  /// The form for programs.
  struct Encodable: Swift.Encodable {
    struct Property: Swift.Encodable {
      let name: String
      let isRelationship: Bool
      let expression: String?
    }

    struct Entity: Swift.Encodable {
      let type: String
      let source: String?
      let destination: String?
      let policy: String?
      let properties: [Property]
      /// What a program writes instead, in Swift.
      let instead: [String]
    }

    let mapping: String
    let source: String?
    let destination: String?
    let entities: [Entity]
  }

  var encodable: Encodable {
    Encodable(
      mapping: mapping.name, source: mapping.source, destination: mapping.destination,
      entities: mapping.entities.map { entity in
        Encodable.Entity(
          type: entity.type, source: entity.source, destination: entity.destination,
          policy: entity.policy,
          properties: entity.properties.map {
            Encodable.Property(
              name: $0.name, isRelationship: $0.isRelationship, expression: $0.expression?.text)
          }, instead: MappingStep(entity).lines)
      })
  }
}

/// What a program writes in the place of an entity mapping: names that the model had before, and a step for the rest.
struct MappingStep {
  private let entity: MappingModel.Entity

  init(_ entity: MappingModel.Entity) { self.entity = entity }

  /// Lines of Swift.
  var lines: [String] {
    guard let destination = entity.destination else {
      return [
        "configuration.migration = .automatic(discarding: [\"\(entity.source ?? "")\"])"
      ]
    }
    let lines = renames(to: destination) + step(for: destination)
    if !lines.isEmpty { return lines }
    return [
      entity.source == nil
        ? "// Nothing: \(destination) is new." : "// Nothing: the values stay where they are."
    ]
  }

  private func renames(to destination: String) -> [String] {
    var lines: [String] = []
    if let source = entity.source, source != destination {
      lines.append("@Entity(originalName: \"\(source)\") final class \(destination)")
    }
    for property in entity.properties {
      guard let old = renamed(property) else { continue }
      let attribute = property.isRelationship ? "@Relationship" : "@Attribute"
      lines.append("\(attribute)(originalName: \"\(old)\") var \(property.name)")
    }
    return lines
  }

  /// The name that a property had before; nil where it is not known by another one.
  private func renamed(_ property: MappingModel.Property) -> String? {
    guard let old = property.expression?.sourceProperty, old != property.name else { return nil }
    // What the destination has under that name, too, is copied.
    return entity.properties.contains { $0.name == old } ? nil : old
  }

  /// A step; none where there is nothing to compute.
  private func step(for destination: String) -> [String] {
    let assignments = entity.properties.compactMap(assignment)
    if assignments.isEmpty, entity.policy == nil { return [] }
    let source = entity.source ?? destination
    let needed = Set(entity.properties.compactMap(\.expression).compactMap(\.sourceProperty))
    let needs = needed.isEmpty ? ["\(source)"] : needed.sorted().map { "\(source).\($0)" }
    let list = needs.map { "\"\($0)\"" }.joined(separator: ", ")
    var body = assignments
    if let policy = entity.policy {
      body.append("// What \(policy) does with each \(source).")
    }
    if entity.source == nil {
      return ["MigrationStep(\"\(destination)\") { step in"]
        + ["try step.insert(\"\(destination)\") { new in"].map { "  \($0)" }
        + body.map { "    \($0)" } + ["  }", "}"]
    }
    return ["MigrationStep(\"\(destination)\", needs: [\(list)]) { step in"]
      + ["  try step.each(\"\(source)\") { old, new in"] + body.map { "    \($0)" } + ["  }", "}"]
  }

  /// The line that gives a property its value; nil where that stays by itself.
  private func assignment(_ property: MappingModel.Property) -> String? {
    guard let expression = property.expression, renamed(property) == nil else { return nil }
    if let old = expression.sourceProperty {
      if old == property.name { return nil }
      return property.isRelationship
        ? "for id in try old.links(\"\(old)\") { try new.link(\"\(property.name)\", to: id) }"
        : "new[\"\(property.name)\"] = old[\"\(old)\"] as AttributeScalar?"
    }
    if case .constant(let text) = expression { return "new[\"\(property.name)\"] = \(text)" }
    return "// new[\"\(property.name)\"] = \(expression.text)"
  }
}
