extension UniqueKey {
  /// A query for the rows that have one of some values of the key, and where it has several parts, others.
  package func query(_ values: [[AttributeScalar]], in entity: EntityLayout) -> StoreQuery {
    var query = StoreQuery(entity: entity.topmost(with: self))
    query.predicate = .and(
      properties.enumerated().map { position, property in
        let values = Set(values.map { $0[position] })
        guard property.kind == .toOne else { return .isIn(property, values) }
        return .refersTo(property, Set(values.compactMap(\.key)))
      })
    return query
  }
}

extension EntityLayout {
  /// The entity at the top of those that have the properties of a key.
  fileprivate func topmost(with key: UniqueKey) -> EntityLayout {
    guard let parent = superentity,
      key.properties.allSatisfy({ $0.index < parent.properties.count })
    else { return self }
    return parent.topmost(with: key)
  }
}

extension AttributeScalar {
  fileprivate var key: Int64? { if case .integer(let key) = self { key } else { nil } }
}
