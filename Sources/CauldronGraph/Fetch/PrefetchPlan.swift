import CauldronLedger
import CauldronModel
import CauldronQuery

/// Which relationships are read with the objects of a fetch, each step once.
struct PrefetchPlan {
  private(set) var steps: [Step] = []

  struct Step {
    /// The entity whose relationship it is.
    let owner: EntityLayout
    let property: PropertyLayout
    let destination: PropertyLayout.Destination
    var next = PrefetchPlan()

    /// Whether objects of an entity have the relationship.
    func isOf(_ entity: EntityLayout) -> Bool {
      property.index < entity.properties.count
        && entity.properties[property.index].name == property.name
    }
  }

  /// - Parameter paths: Names of relationships with points between them, such as `employer.address`.
  /// - Throws: `query.unknownKey`, `query.unsupported` for a path that does not lead over relationships.
  init(_ paths: [String], _ entity: EntityLayout) throws {
    for path in paths { try add(PropertyPath(path).steps[...], of: path, entity: entity) }
  }

  private init() {}

  private mutating func add(
    _ names: ArraySlice<String>, of path: String, entity: EntityLayout
  ) throws {
    guard let name = names.first else {
      if path.isEmpty || path == "SELF" {
        throw CauldronError.notPrefetched(path, name: path, of: entity)
      }
      return
    }
    guard let property = entity.index(of: name).map({ entity.properties[$0] }) else {
      throw CauldronError(
        .queryUnknownKey,
        "Cannot prefetch \"\(path)\": \(entity.name) has no property \"\(name)\".",
        hint: Suggestion.hint(
          for: name, among: entity.declaredProperties.filter(\.isRelationship).map(\.name)))
    }
    guard let destination = property.destination else {
      throw CauldronError.notPrefetched(path, name: name, of: entity)
    }
    let known = steps.firstIndex { $0.property.index == property.index }
    if known == nil {
      steps.append(Step(owner: entity, property: property, destination: destination))
    }
    try steps[known ?? steps.count - 1].next.add(
      names.dropFirst(), of: path, entity: destination.entity)
  }
}

extension CauldronError {
  fileprivate static func notPrefetched(
    _ path: String, name: String, of entity: EntityLayout
  ) -> CauldronError {
    CauldronError(
      .queryUnsupported,
      "Cannot prefetch \"\(path)\" of \(entity.name): \"\(name)\" is no relationship.",
      hint: "Attributes are read with their objects; name relationships alone.")
  }
}

extension ManagedObjectContext {
  /// Reads what relationships lead to, for many objects at once.
  func prefetch(_ plan: PrefetchPlan, for objects: [ManagedObject]) {
    if plan.steps.isEmpty || objects.isEmpty { return }
    core.publisher.publishForQuery()
    core.walker.prefetch(plan, for: objects)
  }
}

extension Walker {
  /// Reads what relationships lead to, for many objects at once; what cannot be read is read when it is
  /// asked for, and tells why then.
  /// - Complexity: For each step of the plan one statement for each 512 objects, or what these lead to.
  func prefetch(_ plan: PrefetchPlan, for objects: [ManagedObject]) {
    if plan.steps.isEmpty || objects.isEmpty { return }
    guard event.objects.isEmpty else { return }
    for step in plan.steps {
      let owners = objects.filter { step.isOf($0.layout) }
      // Where a to-one leads, the owners' rows know.
      if step.property.kind == .toOne { load(owners, of: step.owner) }
      let found =
        step.property.kind == .toMany ? walkAll(owners, step: step) : destinations(of: owners, step)
      load(found, of: step.destination.entity)
      prefetch(step.next, for: found)
    }
  }

  private func walkAll(
    _ owners: [ManagedObject], step: PrefetchPlan.Step
  ) -> [ManagedObject] {
    walk(owners, through: step.property)
    var known: Set<ManagedObjectID> = []
    return owners.flatMap { $0.extras?.toMany[step.property.index]?.keys ?? [] }
      .filter { known.insert($0).inserted }
      .compactMap(reader.object(with:))
  }

  private func destinations(
    of owners: [ManagedObject], _ step: PrefetchPlan.Step
  ) -> [ManagedObject] {
    var known: Set<ManagedObjectID> = []
    return owners.compactMap { owner in
      guard owner.isShown,
        let id = keys.reference(of: owner, step.property), known.insert(id).inserted
      else { return nil }
      return reader.object(with: id)
    }
  }

  /// Reads the rows of faults, those that are cached from the cache.
  private func load(_ objects: [ManagedObject], of entity: EntityLayout) {
    let faults = objects.filter { $0.isFault }
    if faults.isEmpty { return }
    let root = entity.rootNumber
    place.coordinator.readAhead([root: faults.map(\.key)], few: 0)
    for (fault, row) in zip(faults, place.coordinator.cache.entries(faults.map(\.key), root: root))
    where row != nil { reader.fire(fault) }
    reader.loadFaults(among: faults, entity, few: 0)
  }
}
