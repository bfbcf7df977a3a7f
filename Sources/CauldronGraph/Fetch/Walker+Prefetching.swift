import CauldronLedger
import CauldronModel

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
      let owners = objects.filter { $0.layout.has(step.property) }
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

extension EntityLayout {
  /// Whether objects of the entity have a property.
  fileprivate func has(_ property: PropertyLayout) -> Bool {
    property.index < properties.count && properties[property.index].name == property.name
  }
}
