package import CauldronModel

/// A fetch of values in the place of objects: columns, distinct ones, or groups.
package struct ValueQuery: Sendable {
  /// Which rows. Their order serves their window alone, which is not that of the lines.
  package var rows: StoreQuery
  /// What each line of the result has.
  package var columns: [BoundExpression] = []
  /// Whether equal lines come once.
  package var isDistinct = false
  /// What rows have in common that make one line; nil where each row makes one. None at all make one
  /// line of all rows.
  package var groups: [BoundExpression]?
  /// Which groups come.
  package var having: BoundPredicate?
  /// The order of the lines; equal ones come by what they are made of.
  package var order: [StoreQuery.SortKey] = []
  package var limit: Int?
  package var offset = 0

  package init(_ rows: StoreQuery) { self.rows = rows }

  /// Everything that the lines are made of.
  package var expressions: [BoundExpression] { columns + (groups ?? []) + order.map(\.expression) }

  /// Whether each row makes a line, so that a window of lines is one of rows.
  package var hasLineForEachRow: Bool {
    groups == nil && !isDistinct && rows.limit == nil && rows.offset == 0
  }

  /// The attributes that the columns are; nil where they or the lines are something else.
  package var plainColumns: [PropertyLayout]? {
    guard hasLineForEachRow, having == nil, !columns.isEmpty else { return nil }
    let properties = columns.compactMap(\.property).filter { $0.attributeType != nil }
    return properties.count == columns.count ? properties : nil
  }

  /// The rows that make a line each, in the order and in the window of the lines.
  package var asRows: StoreQuery {
    var rows = rows
    rows.sort = order
    rows.isByKey = true
    (rows.limit, rows.offset) = (limit, offset)
    return rows
  }

  /// What orders equal lines: the columns where each line is another one, or the groups.
  package var ties: [BoundExpression]? { isDistinct ? columns : groups }

  /// The relationships that the lines depend on.
  package var reach: QueryReach {
    QueryReach(rows, expressions, having)
  }
}
