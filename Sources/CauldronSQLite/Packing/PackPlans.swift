import CauldronModel

/// The plans of every entity of a store: alone, and with its subentities.
struct PackPlans: Sendable {
  private let single: [PackPlan]
  private let families: [PackPlan]

  init(_ schema: StoreSchema) {
    let single = schema.model.layouts.map { PackPlan([$0], schema) }
    self.single = single
    families = zip(schema.model.layouts, single).map { layout, plan in
      layout.family.count == 1 ? plan : PackPlan(layout.family.map(\.entity), schema)
    }
  }

  /// The plan for rows of exactly one entity.
  func single(_ layout: EntityLayout) -> PackPlan { single[Int(layout.number) - 1] }

  /// The plan for rows of an entity and its subentities.
  func family(_ layout: EntityLayout) -> PackPlan { families[Int(layout.number) - 1] }
}
