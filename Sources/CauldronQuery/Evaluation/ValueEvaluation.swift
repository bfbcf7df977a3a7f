package import CauldronModel

/// Makes the lines of a value query from rows, as SQL makes them from a table.
package struct ValueEvaluation {
  private let query: ValueQuery
  private let source: any RowSource

  package init(_ query: ValueQuery, _ source: any RowSource) {
    self.query = query
    self.source = source
  }

  /// The lines that rows give, all of which the query's condition selects.
  /// - Complexity: O(rows · log rows).
  package func lines(_ rows: RowSet) throws -> [[AttributeScalar]] {
    try rows.withRows { rows in
      let rows = Array(rows).sorted { $0.key < $1.key }
      return try query.groups == nil ? plainLines(rows) : groupedLines(rows)
    }
  }

  private func plainLines(_ rows: [RowPointer]) throws -> [[AttributeScalar]] {
    try arranged(RowEvaluation(source), rows)
  }

  private func groupedLines(_ rows: [RowPointer]) throws -> [[AttributeScalar]] {
    let groups = query.groups ?? []
    if rows.isEmpty { return groups.isEmpty ? try emptyLine() : [] }
    let evaluation = RowEvaluation(source)
    let keys = try groups.map { group in
      try evaluation.values(group, rows).map(group.normal)
    }
    var members: [[AttributeScalar]: [RowPointer]] = [:]
    for (index, row) in rows.enumerated() {
      members[keys.map { $0[index] }, default: []].append(row)
    }
    // A group is known by its first row.
    var first: [RowPointer] = []
    for group in members.values {
      first.append(group[0])
      evaluation.members[group[0].key] = group
    }
    if let having = query.having {
      let holds = try evaluation.holds(having, first)
      first = zip(first, holds).filter(\.1).map(\.0)
    }
    return try arranged(evaluation, first)
  }

  /// The one line of no rows at all.
  private func emptyLine() throws -> [[AttributeScalar]] {
    let evaluation = RowEvaluation(source)
    let row = query.rows.entity.zero
    return try withExtendedLifetime(row) {
      evaluation.members[row.row.key] = []
      if let having = query.having, try !evaluation.holds(having, [row.row])[0] { return [] }
      return try arranged(evaluation, [row.row])
    }
  }

  /// Columns, order and window.
  private func arranged(
    _ evaluation: RowEvaluation, _ rows: [RowPointer]
  ) throws -> [[AttributeScalar]] {
    func values(_ expression: BoundExpression) throws -> [AttributeScalar] {
      try evaluation.values(expression, rows).map(expression.normal)
    }
    let columns = try query.columns.map(values)
    var keys = try query.order.map {
      (values: try values($0.expression), $0.expression.kind == .decimal, $0.ascending)
    }
    for tie in query.ties ?? [] { keys.append((try values(tie), tie.kind == .decimal, true)) }
    var order = Array(rows.indices)
    if query.isDistinct {
      var seen: Set<[AttributeScalar]> = []
      order = order.filter { index in seen.insert(columns.map { $0[index] }).inserted }
    }
    order.sort { a, b in
      for (values, isDecimal, ascending) in keys {
        let order = ScalarOrder.order(values[a], values[b], isDecimal: isDecimal)
        if order != 0 { return (order < 0) == ascending }
      }
      return rows[a].key < rows[b].key
    }
    let window = order.dropFirst(query.offset).prefix(query.limit ?? .max)
    return window.map { index in columns.map { $0[index] } }
  }
}

/// Selects and orders rows by what other objects have, too.
package struct GraphMatcher {
  private let query: StoreQuery
  private let source: any RowSource

  package init(_ query: StoreQuery, _ source: any RowSource) {
    self.query = query
    self.source = source
  }

  /// The rows that the query selects, as they come.
  package func select(_ rows: [RowPointer]) throws -> [RowPointer] {
    let numbers = query.entityRange
    let own = rows.filter { numbers.contains($0.entityNumber) }
    guard let predicate = query.predicate else { return own }
    let holds = try RowEvaluation(source).holds(predicate, own)
    return zip(own, holds).filter(\.1).map(\.0)
  }

  /// The rows by the sort keys, then by ascending row key.
  package func sort(_ rows: [RowPointer]) throws -> [RowPointer] {
    let evaluation = RowEvaluation(source)
    let columns = try query.sort.map { try evaluation.values($0.expression, rows) }
    let decimals = query.sort.map { $0.expression.kind == .decimal }
    let order = rows.indices.sorted { a, b in
      for (position, key) in query.sort.enumerated() {
        let order = ScalarOrder.order(
          columns[position][a], columns[position][b], isDecimal: decimals[position])
        if order != 0 { return (order < 0) == key.ascending }
      }
      return rows[a].key < rows[b].key
    }
    return order.map { rows[$0] }
  }
}

extension BoundExpression {
  /// A value of the expression in the form that both stores and memory give: dates and averages as
  /// reals, decimals by what they are worth. Values that are equal have one form.
  package func normal(_ scalar: AttributeScalar) -> AttributeScalar {
    switch (kind, scalar) {
    case (.real, .integer(let value)):
      Int64(exactly: Double(value)) == value ? .real(Double(value)) : scalar
    // An integer that was beyond 64 bits on the way.
    case (.integer, .real(let value)): Int64(exactly: value).map { .integer($0) } ?? scalar
    case (_, .real(let value)) where value == 0: .real(0)
    case (.decimal, .integer(let value)): .text("\(value)")
    case (.decimal, .real(let value)): ScalarOrder.spelt("\(value)")
    case (.decimal, .text(let text)): ScalarOrder.spelt(text)
    default: scalar
    }
  }
}
