import CauldronGraph
import CauldronModel

/// Makes plans out of a model and the options of its import, and finds their faults.
struct PlanCompiler {
  let model: ManagedObjectModel
  let options: ImportOptions
  private var plans: [EntityPlan] = []
  /// The numbers of the plans, by entity, family and key.
  private var numbers: [Place: Int] = [:]
  var problems: [String] = []
  private(set) var warnings: [String] = []

  private struct Place: Hashable {
    let entity: Int32
    let family: Int32
    let key: [String]?
  }

  init(_ model: ManagedObjectModel, _ options: ImportOptions) {
    self.model = model
    self.options = options
  }

  /// Compiles the plan of the records themselves, and all that it leads to.
  /// - Parameter isKnown: Whether it is known already which object the record is.
  mutating func compile(_ entity: EntityLayout, isKnown: Bool) {
    checkMappings()
    if entity.isAbstract, kinds(of: entity) == nil {
      problems.append("\(entity.name) is abstract; import a subentity")
    }
    let number = plan(entity, among: entity, isKnown ? nil : ownKey(entity))
    checkRecords(plans[number])
  }

  func plan(at number: Int) -> EntityPlan { plans[number] }

  /// - Throws: `import.plan`.
  mutating func finished(_ entity: EntityLayout) throws -> [EntityPlan] {
    var seen: Set<String> = []
    let all = problems.filter { seen.insert($0).inserted }
    if all.isEmpty {
      markSideKeys()
      return plans
    }
    throw CauldronError(
      .importPlan, "Cannot import \(entity.name):", list: all, separator: "; ",
      hint: "Nothing was read."
    ).with {
      $0.entity = entity.name
      $0.details = all.count > 1 ? all.map { CauldronError(.importPlan, "", list: [$0]) } : []
    }
  }

  private mutating func plan(
    _ entity: EntityLayout, among family: EntityLayout, _ choice: KeyChoice?
  ) -> Int {
    let place = Place(entity: entity.number, family: family.number, key: choice?.names)
    if let known = numbers[place] { return known }
    let number = plans.count
    numbers[place] = number
    let key = choice.flatMap { keyPlan($0, entity) }
    let type = entity.description.managedObjectClass?.type as? ManagedObject.Type
    plans.append(
      EntityPlan(
        entity: entity, family: family, key: key, hooks: type?._hooks ?? [],
        imported: type?._importedProperties ?? [], lacks: lacks(entity, key)))
    plans[number].alwaysInserts = mapping(of: entity)?.alwaysInserts ?? false
    if let kinds = kinds(of: entity) {
      plans[number].choice = EntityPlan.Choice(
        paths: kinds.from.map(SourcePath.init),
        plans: plansToChoose(kinds, of: plans[number], at: number, choice))
    }
    // Of an abstract entity there are keys alone.
    if entity.isAbstract { return number }
    checkFunctions(entity)
    plans[number].attributes = entity.declaredProperties.compactMap { attribute($0, entity) }
    for property in entity.declaredProperties {
      if let made = relationship(property, entity) { plans[number].relationships.append(made) }
    }
    return number
  }

  /// What a field of the records says of their entity; nil where nothing does.
  private func kinds(of entity: EntityLayout) -> ImportEntities? {
    options.mappings[entity.name]?.entities
  }

  /// The plans of the entities that records may be of, by what the field says.
  private mutating func plansToChoose(
    _ kinds: ImportEntities, of plan: EntityPlan, at number: Int, _ key: KeyChoice?
  ) -> [String: Int] {
    let (entity, family) = (plan.entity, plan.family)
    let concrete = entity.family.map(\.entity).filter { !$0.isAbstract }
    let names =
      kinds.entities.isEmpty
      ? Dictionary(uniqueKeysWithValues: concrete.map { ($0.name, $0.name) }) : kinds.entities
    var result: [String: Int] = [:]
    for (value, name) in names.sorted(by: { $0.key < $1.key }) {
      if let chosen = concrete.first(where: { $0.name == name }) {
        result[value] =
          chosen === entity ? number : self.plan(chosen, among: family, key ?? ownKey(chosen))
      } else {
        problems.append(
          "\"\(name)\" is no entity of \(entity.name) that objects can be of. "
            + Suggestion.hint(for: name, among: concrete.map(\.name)))
      }
    }
    return result
  }

  private func lacks(_ entity: EntityLayout, _ key: KeyPlan?) -> [String] {
    entity.declaredProperties.filter { property in
      property.isRequired && property.hasColumn && key?.has(property.index) != true
        && property.derivation == nil
        && entity.template.row.isNull(property.index)
        && !entity.computedDefaults.contains { $0.index == property.index }
    }.map(\.name)
  }
}

// What identifies objects.
extension PlanCompiler {
  private mutating func ownKey(_ entity: EntityLayout) -> KeyChoice? {
    var found: [String] = []
    defer { for warning in found { warn(warning) } }
    return KeyChoice.own(of: entity, mapping: mapping(of: entity)) { found.append($0) }
  }

  private mutating func warn(_ warning: String) {
    if !warnings.contains(warning) { warnings.append(warning) }
  }

  private mutating func keyPlan(_ choice: KeyChoice, _ entity: EntityLayout) -> KeyPlan? {
    var parts: [AttributePlan] = []
    for name in choice.names {
      guard let part = keyPart(name, entity) else { return nil }
      parts.append(part)
    }
    let unique = entity.uniqueKeys.first { $0.names == choice.names }
    if parts.count > 1 { return unique.map { KeyPlan(parts, unique: $0, of: entity) } }
    let part = parts[0]
    let name = part.name
    if unique == nil, choice.mustBeUnique {
      problems.append(
        "\(entity.name).\(name) is not marked as unique, so that it does not say which object a record is;"
          + " mark it @Attribute(.unique)")
    } else if unique == nil, !choice.isUsual {
      warn(
        "\(entity.name).\(name) is not marked as unique: a record that two objects match is refused."
      )
    }
    return KeyPlan(
      part, unique: unique, scope: entity.owner(of: entity.declaredProperties[part.index]))
  }

  private mutating func keyPart(_ name: String, _ entity: EntityLayout) -> AttributePlan? {
    if let index = entity.index(of: name), entity.declaredProperties[index].attributeType != nil,
      let part = attribute(entity.declaredProperties[index], entity, asKey: true)
    {
      return part
    }
    problems.append(
      "\(entity.name) has no attribute \"\(name)\" to be found by. "
        + Suggestion.hint(for: name, among: entity.declaredProperties.map(\.name)))
    return nil
  }

  /// Whether a unique key is not looked at when its attributes are set.
  private func isExtra(_ key: UniqueKey, _ plan: EntityPlan) -> Bool {
    // Code of the class may set what it likes.
    if plan.isAsked || !plan.imported.isEmpty { return true }
    if key.number == plan.key?.unique?.number { return false }
    guard key.properties.count == 1 else { return true }
    let index = key.properties[0].index
    return !plan.attributes.contains { $0.index == index && $0.isSideKey }
  }

  /// Marks what objects are found by in another plan than its own.
  private func markSideKeys() {
    var keys: Set<KeyPlace> = []
    let all = plans.compactMap(\.key).filter { keys.insert($0.place).inserted }
    let together = all.filter { $0.only == nil }
    for plan in plans {
      let own = plan.key?.only?.index
      for attribute in plan.attributes + (plan.key?.parts ?? []) where attribute.index != own {
        attribute.isSideKey = keys.contains(KeyPlace(attribute)) || attribute.isUnique
      }
      plan.sideKeys = together.filter {
        $0.place != plan.key?.place && $0.isUnique(in: plan.entity)
      }
      plan.extraKeys = plan.entity.uniqueKeys.filter { isExtra($0, plan) }
    }
  }
}

// Properties.
extension PlanCompiler {
  private mutating func attribute(
    _ property: PropertyLayout, _ entity: EntityLayout, asKey: Bool = false
  ) -> AttributePlan? {
    guard case .attribute(let attribute) = property.description,
      let storage = property.storageClass, attribute.derivation == nil
    else { return nil }
    let chosen = mapping(of: entity)?.attributes[property.name]
    let mapping = chosen?.over(attribute.noted) ?? attribute.noted
    if mapping.isExcluded, !asKey { return nil }
    // Once, and not for each subentity.
    let place = "\(entity.owner(of: property).name).\(property.name)"
    check(mapping, chosen: chosen, of: attribute, property: property, at: place)
    return AttributePlan(
      property, attribute, mapping, storage, paths: paths(mapping.from, property.name),
      options, of: entity, isImported: imported(entity).contains(property.name))
  }

  private mutating func relationship(
    _ property: PropertyLayout, _ entity: EntityLayout
  ) -> RelationshipPlan? {
    guard case .relationship(let relationship) = property.description,
      let destination = property.destination?.entity
    else { return nil }
    let chosen = self.mapping(of: entity)?.relationships[property.name]
    var mapping = chosen?.over(relationship.noted) ?? relationship.noted
    if mapping.isExcluded { return nil }
    let place = "\(entity.name).\(property.name)"
    var created = destination
    if let name = mapping.subentity {
      guard let found = model.layout(named: name), found.isKind(of: destination) else {
        problems.append("\"\(name)\" is no subentity of \(destination.name), where \(place) leads")
        return nil
      }
      created = found
    }
    let needsSubentity =
      created.isAbstract && kinds(of: created) == nil && mapping.members != .linkOnly
    if needsSubentity {
      guard mapping.saysNothing else {
        problems.append("\(place) leads to the abstract \(created.name); name a subentity")
        return nil
      }
      (mapping.members, mapping.unknown) = (.linkOnly, .skip)
    } else if kinds(of: created) != nil, mapping.unknown == .stub {
      // A key does not say of which entity an object with it would be.
      mapping.unknown = .skip
    }
    if mapping.members == .replace, !property.isToMany {
      problems.append("\(place) is a to-one relationship, which has no members to be replaced")
    }
    let choice = key(
      of: created,
      RelationshipRule(entity: entity, description: relationship, chosen: chosen, mapping: mapping))
    checkReplacing(property, by: mapping, at: place, hasKey: choice != nil)
    let number = plan(created, among: destination, choice)
    return RelationshipPlan(
      property, mapping, paths: paths(mapping.from, property.name), empty: options.empty,
      destination: number,
      isImported: imported(entity).contains(property.name), needsSubentity: needsSubentity)
  }

  /// By what the objects are found that a relationship leads to.
  private mutating func key(
    of created: EntityLayout, _ rule: RelationshipRule
  ) -> KeyChoice? {
    guard let match = rule.mapping.match else { return ownKey(created) }
    let own = rule.description.importing.match
    // What is only noted was ignored by MagicalRecord where it was wrong.
    if rule.chosen?.match == nil, own == nil, !created.hasAttribute(match) {
      warn(
        "\(rule.place) is noted to be related by \"\(match)\", and \(created.name) has no such"
          + " attribute; that is ignored.")
      return ownKey(created)
    }
    // Only who writes the class can mark the attribute.
    let isOfClass = rule.entity.description.managedObjectClass != nil
    return KeyChoice(name: match, mustBeUnique: isOfClass && own == match)
  }

  /// The properties for which the class of an entity has functions of its own.
  func imported(_ entity: EntityLayout) -> Set<String> {
    let type = entity.description.managedObjectClass?.type as? ManagedObject.Type
    return type?._importedProperties ?? []
  }

  private func paths(_ from: [String], _ name: String) -> [SourcePath] {
    if !from.isEmpty { return from.map(SourcePath.init) }
    let snake = name.snakeCased
    let all = options.names == .snakeCase && snake != name ? [name, snake] : [name]
    return all.map(SourcePath.init)
  }
}

/// How a relationship is imported, and what has said so.
private struct RelationshipRule {
  let entity: EntityLayout
  /// What the model says.
  let description: RelationshipDescription
  /// What the options say; nil where that is nothing.
  let chosen: RelationshipImport?
  /// Both together.
  let mapping: RelationshipImport

  /// As messages name the relationship.
  var place: String { "\(entity.name).\(description.name)" }
}

extension String {
  /// `firstName` and `URLText` as `first_name` and `url_text`.
  fileprivate var snakeCased: String {
    var result = ""
    let letters = Array(self)
    for (index, letter) in letters.enumerated() {
      let isAfterSmall = index > 0 && !letters[index - 1].isUppercase
      let isBeforeSmall =
        index > 0 && index + 1 < letters.count && letters[index + 1].isLowercase
      if letter.isUppercase, isAfterSmall || isBeforeSmall { result += "_" }
      result += letter.lowercased()
    }
    return result
  }
}
