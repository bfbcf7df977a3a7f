package import CauldronModel

/// The result of a query as rows, kept right by being told of each row that changes.
///
/// What is generic below is made for rows here and nowhere else, because generic code that is called
/// from another module is not specialized there.
package struct RowList: Sendable {
  private var list: MaintainedList<RowOrder, RowSectioning>
  private let memory: ListMemory
  package let plan: RowPlan

  /// What has become of a row that a query may select.
  package struct Change {
    let key: Int64
    let row: RowPointer?
    let values: [AttributeScalar]

    /// A row that is gone, or not selected any more.
    package static func none(_ key: Int64) -> Change { Change(key: key, row: nil, values: []) }

    /// A row as it is now.
    /// - Parameter values: What it is sorted by, for a plan that is not plain.
    package static func some(_ row: RowPointer, _ values: [AttributeScalar] = []) -> Change {
      Change(key: row.key, row: row, values: values)
    }
  }

  /// The first rows of the result.
  /// - Parameters:
  ///   - columns: What they are sorted by, a column for each sort key, for a plan that is not plain.
  ///   - window: Which of them are shown; the rows are as many as its capacity if there are as many.
  package init(
    _ rows: RowSet, _ columns: [[AttributeScalar]], _ window: ListWindow, _ plan: RowPlan
  ) throws {
    self.plan = plan
    memory = ListMemory(rows.memory)
    var elements = Self.elements(rows, columns: columns, in: memory, by: plan)
    let order = RowOrder(plan: plan)
    let isSorted = zip(elements, elements.dropFirst()).allSatisfy { order.precedes($0, $1) }
    // A store that was written by others may hold values of which SQL thinks otherwise.
    if !isSorted { elements.sort(by: order.precedes) }
    list = try MaintainedList(
      sorted: elements, isComplete: window.capacity.map { rows.count < $0 } ?? true,
      window: window, by: order, RowSectioning(plan: plan))
  }

  private static func elements(
    _ rows: RowSet, columns: [[AttributeScalar]], in memory: ListMemory, by plan: RowPlan
  ) -> [ListedRow] {
    rows.withRows { pointers in
      if plan.isPlain { return pointers.map { ListedRow($0) } }
      let terms = plan.terms(columns, count: pointers.count, in: memory)
      return zip(pointers, terms).map { ListedRow($0, $1) }
    }
  }

  /// How many rows are held, the buffer behind the window included.
  package var count: Int { list.contents.count }

  /// Whether too few rows are held to go on: the result must be fetched again.
  package var needsRefill: Bool { list.refill != nil }

  /// Whether so many rows, or sort terms, were copied since the result was fetched that it had better be
  /// made anew.
  package var isLoose: Bool {
    memory.copies > 2 * list.contents.count + 10_000
      || memory.termCount > 3 * list.contents.count + 10_000
  }

  /// The listed row with a key.
  package func row(_ key: Int64) -> RowPointer? { list.contents.keys[key]?.row }

  /// What the list shows.
  package var snapshot: RowSnapshot { RowSnapshot(list.snapshot, memory, plan) }

  /// Takes in what has changed, each key once.
  /// - Returns: The keys whose rows are others now, and maybe more.
  package mutating func apply(
    _ changes: [Change]
  ) throws -> [Int64] {
    var result: [ListChange<ListedRow>] = []
    result.reserveCapacity(changes.count)
    for change in changes { if let change = listed(change) { result.append(change) } }
    return try list.apply(result)
  }

  /// The change with a copy of its row; nil where nothing changes.
  private func listed(_ change: Change) -> ListChange<ListedRow>? {
    let known = list.contents.keys[change.key]
    guard let row = change.row else {
      return known == nil ? nil : ListChange(change.key, nil)
    }
    let order = RowOrder(plan: plan)
    let mark = memory.mark
    let term =
      plan.isPlain ? nil : plan.terms(change.values.map { [$0] }, count: 1, in: memory)[0]
    if let known, order.hasSameContent(known, ListedRow(row, term)) {
      memory.goBack(to: mark)
      return nil
    }
    let copy = memory.keep(row, of: plan.layout(of: row))
    return ListChange(change.key, ListedRow(copy, term))
  }

  /// The rows as a set: what the same list is made anew of, in memory of its own.
  package func compacted() throws -> RowList {
    try RowList(self)
  }

  private init(_ other: RowList) throws {
    plan = other.plan
    memory = ListMemory()
    let memory = memory
    let plan = other.plan
    let elements = other.list.contents.tree.elements(in: 0..<other.count).map { element in
      ListedRow(
        memory.keep(element.row, of: plan.layout(of: element.row)), element.term.map(memory.copy))
    }
    list = try MaintainedList(
      sorted: elements, isComplete: other.list.isComplete, window: other.list.window,
      by: RowOrder(plan: plan), RowSectioning(plan: plan))
    withExtendedLifetime(other) {}
  }
}
