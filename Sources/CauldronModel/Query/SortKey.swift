/// What to sort by.
public struct SortKey: Sendable, Hashable {
  /// The value: an attribute, one behind to-one relationships, or any other expression.
  public var expression: QueryExpression
  /// Whether the smallest value comes first; nil counts as smaller than all.
  public var ascending: Bool
  /// What is left out of account where the values are texts.
  public var options: TextOptions

  /// Sorts by an attribute, such as `name`, or by one of what to-one relationships lead to, such as
  /// `employer.name`; in ascending order unless told otherwise.
  public init(_ key: String, ascending: Bool = true, _ options: TextOptions = []) {
    self.init(.property(PropertyPath(key)), ascending: ascending, options)
  }

  /// Sorts by an expression.
  public init(_ expression: QueryExpression, ascending: Bool = true, _ options: TextOptions = []) {
    self.expression = expression
    self.ascending = ascending
    self.options = options
  }

  /// The key as text, such as `employer.name`.
  public var key: String {
    if case .property(let path) = expression { path.text } else { expression.description }
  }

  /// Resolves the value against an entity.
  /// - Parameter hasGroups: Whether an aggregate of `SELF` gathers the rows of a group.
  /// - Throws: `query.…`, also for what has no order.
  package func bound(
    to entity: EntityLayout, _ storeNumber: Int32?, hasGroups: Bool = false
  ) throws -> StoreQuery.SortKey {
    let value = try expression.sortable(in: entity, storeNumber, options, hasGroups: hasGroups)
    return StoreQuery.SortKey(value, ascending: ascending)
  }
}
