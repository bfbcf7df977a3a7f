import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronQuery

extension RequestResolver {
  /// What a list of a request's objects shows.
  /// - Throws: As a fetch.
  func livePlan<Object: ManagedObject>(
    for request: FetchRequest<Object>, section: LiveSection?
  ) throws -> LivePlan {
    var query = try self.query(named: request.entityName, of: Object.self, for: request.description)
    guard isAlways(Object.self, query: query) else {
      throw CauldronError(
        .queryTypeMismatch,
        "A list of \(Object.self) cannot show \(query.entity.name), whose objects are of another class.",
        hint: "Make a list of ManagedObject, or request an entity of that class."
      ).with { $0.entity = query.entity.name }
    }
    if let section { try divide(&query, by: section, sortKeys: request.sortKeys) }
    return LivePlan(
      query, section,
      LivePlan.Arrangement(
        entity: query.entity.number, sortKeys: request.sortKeys, section: section),
      includesPendingChanges: request.includesPendingChanges)
  }

  /// Puts the section's value in front of the order, unless it leads already: downwards where the
  /// order begins with the same value downwards. Where it begins by language, or without case and
  /// diacritics, so do the sections, and then comes their exact value, so that values which are
  /// equal in that order make a section each.
  private func divide(
    _ query: inout StoreQuery, by section: LiveSection, sortKeys: [SortKey]
  ) throws {
    let isLed = sortKeys.first?.expression == section.expression
    let ascending = !isLed || sortKeys.first?.ascending != false
    var collator: Collator?
    if isLed, case .collated(let found, _) = query.sort.first?.expression { collator = found }
    let bound = try SortKey(section.expression).bound(
      to: query.entity, place.coordinator.storeNumber)
    let value: BoundExpression
    var isBehindOrder = collator != nil
    if let transform = section.form.sortTransform(collator) {
      value = .section(transform, bound.expression)
      if let collator {
        let order = BoundExpression.collated(collator, value)
        query.sort.insert(StoreQuery.SortKey(order, ascending: ascending), at: 0)
      }
    } else {
      if isLed, sortKeys.first?.isPlain == true { return }
      isBehindOrder = isLed
      value = bound.expression
    }
    query.sort.insert(
      StoreQuery.SortKey(value, ascending: ascending), at: isBehindOrder ? 1 : 0)
    try query.checkSections()
  }
}

extension SectionForm {
  /// What is sorted by in front of all else; nil for the value itself.
  /// - Parameter collator: What the same value is ordered by; nil where that is not by language.
  fileprivate func sortTransform(_ collator: Collator?) -> SectionTransform? {
    switch self {
    case .value, .custom: nil
    case .firstLetter: collator.map { .letter(locale: $0.locale) } ?? .firstLetter
    case .day(let zone): .day(timeZone: zone)
    case .month(let zone): .month(timeZone: zone)
    }
  }
}
