import CauldronLedger
import CauldronModel
import CauldronQuery

extension RequestResolver {
  /// What a list of a request's objects shows.
  /// - Throws: As a fetch.
  func livePlan<Object: ManagedObject>(
    _ request: FetchRequest<Object>, _ section: LiveSection?
  ) throws -> LivePlan {
    var query = try self.query(request.entityName, Object.self, request.description)
    guard isAlways(Object.self, query) else {
      throw CauldronError(
        .queryTypeMismatch,
        "A list of \(Object.self) cannot show \(query.entity.name), whose objects are of another class.",
        hint: "Make a list of ManagedObject, or request an entity of that class."
      ).with { $0.entity = query.entity.name }
    }
    if let section { try divide(&query, section, request.sortKeys) }
    return LivePlan(
      query, section,
      LivePlan.Arrangement(
        entity: query.entity.number, sortKeys: request.sortKeys, section: section),
      includesPendingChanges: request.includesPendingChanges)
  }

  /// Puts the section's value in front of the order, unless it leads already: downwards where the order
  /// begins with the same value downwards.
  private func divide(
    _ query: inout StoreQuery, _ section: LiveSection, _ sortKeys: [SortKey]
  ) throws {
    let leading = SortKey(section.expression)
    let isLed = sortKeys.first?.expression == leading.expression
    let ascending = !isLed || sortKeys.first?.ascending != false
    if let transform = section.form.sortTransform {
      let bound = try leading.bound(to: query.entity, place.coordinator.storeNumber)
      query.sort.insert(
        StoreQuery.SortKey(.section(transform, bound.expression), ascending: ascending), at: 0)
      try query.checkSections()
    } else if !isLed || sortKeys.first?.options != [] {
      let bound = try leading.bound(to: query.entity, place.coordinator.storeNumber)
      query.sort.insert(
        StoreQuery.SortKey(bound.expression, ascending: ascending), at: 0)
    }
  }
}

extension SectionForm {
  /// What is sorted by in front of all else; nil for the value itself.
  fileprivate var sortTransform: SectionTransform? {
    switch self {
    case .value, .custom: nil
    case .firstLetter: .firstLetter
    case .day(let zone): .day(timeZone: zone)
    case .month(let zone): .month(timeZone: zone)
    }
  }
}
