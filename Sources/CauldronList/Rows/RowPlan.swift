package import CauldronModel
package import CauldronQuery

/// How a list of rows is ordered and divided.
package struct RowPlan: Sendable {
  /// Makes another value of a section's value.
  package typealias Transform = @Sendable (AttributeScalar) -> AttributeScalar

  /// The query whose result it is, with the section's term in front of its order.
  package let query: StoreQuery
  /// Whether rows alone tell their places; otherwise each has a ``SortTerm``.
  package let isPlain: Bool
  /// Whether the list has sections: by the value of the first sort key, or of the second one where the
  /// first orders the same values by language, or without case and diacritics.
  package let isDivided: Bool
  let matcher: QueryMatcher
  let transform: Transform?
  private let layouts: [Int32: EntityLayout]
  private let isDecimal: [Bool]
  /// Which sort key has the sections' values.
  private let divider: Int

  /// - Parameters:
  ///   - isDivided: Whether the first sort key divides the list.
  ///   - transform: What the sections are by, of the first sort key's value; nil for that value.
  package init(_ query: StoreQuery, isDivided: Bool, transform: Transform? = nil) {
    self.query = query
    self.isDivided = isDivided
    self.transform = transform
    isPlain = query.sort.allSatisfy { $0.property != nil }
    var ordering = StoreQuery(entity: query.entity)
    if isPlain { ordering.sort = query.sort }
    matcher = QueryMatcher(ordering)
    layouts = Dictionary(
      query.entity.family.map { ($0.entity.number, $0.entity) }, uniquingKeysWith: { a, _ in a })
    let isOrdered =
      switch query.sort.first?.expression {
      case .collated, .folded: true
      default: false
      }
    divider = isOrdered && query.sort.count > 1 ? 1 : 0
    isDecimal = query.sort.map { $0.expression.kind == .decimal }
  }

  /// The layout of a row.
  package func layout(of row: RowPointer) -> EntityLayout {
    layouts[row.entityNumber] ?? query.entity
  }

  /// The section's value, as it is made of a row or a term.
  func section(of element: ListedRow) -> AttributeScalar {
    guard isDivided else { return .null }
    let value: AttributeScalar
    if let term = element.term {
      value = term.section
    } else if let property = query.sort[0].property {
      value = property.scalar(in: element.row)
    } else {
      value = .null
    }
    return transform?(value) ?? value
  }

  /// The sort terms of rows by the values that they are sorted by, a column for each sort key.
  func terms(_ columns: [[AttributeScalar]], count: Int, in memory: ListMemory) -> [SortTerm] {
    var bytes = SortBytes()
    return (0..<count).map { index in
      bytes.removeAll()
      for (position, key) in query.sort.enumerated() {
        bytes.append(
          columns[position][index], ascending: key.ascending, isDecimal: isDecimal[position])
      }
      let section = isDivided ? SortTerm.bytes(of: columns[divider][index]) : []
      return memory.term(bytes.bytes, section: section)
    }
  }
}

/// The order of a list of rows.
struct RowOrder: ListOrder {
  let plan: RowPlan

  func precedes(_ a: ListedRow, _ b: ListedRow) -> Bool {
    guard let left = a.term, let right = b.term else { return plan.matcher.precedes(a.row, b.row) }
    let order = left.compare(with: right)
    return order == 0 ? a.key < b.key : order < 0
  }

  func hasSameContent(_ a: ListedRow, _ b: ListedRow) -> Bool {
    if a == b { return true }
    if a.row.entityNumber != b.row.entityNumber { return false }
    if let left = a.term, let right = b.term, left.compare(with: right) != 0 { return false }
    return a.row.difference(from: b.row, plan.layout(of: a.row)).isEmpty
  }
}

/// The sections of a list of rows.
struct RowSectioning: ListSectioning {
  let plan: RowPlan

  var isDivided: Bool { plan.isDivided }

  func section(of element: ListedRow) -> AttributeScalar { plan.section(of: element) }

  func isTogether(_ a: ListedRow, _ b: ListedRow) -> Bool {
    if plan.transform == nil {
      if let left = a.term, let right = b.term { return left.isTogether(with: right) }
      if let property = plan.query.sort.first?.property, let form = property.form {
        return a.row.isEqual(property.index, to: b.row, form)
      }
    }
    return section(of: a) == section(of: b)
  }
}

/// A row in a list, with what it is sorted by where that is not in the row itself.
package struct ListedRow: ListElement {
  package let row: RowPointer
  /// Nil where the row alone tells its place.
  let term: SortTerm?

  package init(_ row: RowPointer, _ term: SortTerm? = nil) {
    self.row = row
    self.term = term
  }

  package var key: Int64 { row.key }
}
