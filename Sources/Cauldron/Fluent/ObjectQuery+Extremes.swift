public import CauldronGraph
import CauldronModel

extension ObjectQuery {
  /// The object with the smallest value of an attribute; nil where there is no object. One without a
  /// value comes last. The order of the query decides about its window alone.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: One statement with `LIMIT 1`, and one for the window if there is one.
  public func min(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    let expression = QueryExpression.property(KeyPathTable.path(of: path))
    let isNil = QueryExpression.conditional(
      .comparison(expression, .equal, .value(.null), []), .value(.integer(1)),
      .value(.integer(0)))
    return try first(by: [SortKey(isNil), SortKey(expression)], context)
  }

  /// The object with the largest value of an attribute; nil where there is no object. The order of
  /// the query decides about its window alone.
  /// - Throws: `query.…`, `store.…`.
  /// - Complexity: As ``min(by:in:)``.
  public func max(
    by path: PartialKeyPath<Object>, in context: some ObjectContext
  ) throws -> Object? {
    let expression = QueryExpression.property(KeyPathTable.path(of: path))
    return try first(by: [SortKey(expression, ascending: false)], context)
  }

  private func first(by order: [SortKey], _ context: some ObjectContext) throws -> Object? {
    var query = ObjectQuery(request)
    if request.limit != nil || request.offset != 0 {
      query.request.predicate = .isSelf(try fetchIDs(in: context))
      query.request.limit = nil
      query.request.offset = 0
    }
    query.request.sortKeys = order
    return try query.first(in: context)
  }
}
