public import CauldronGraph
import CauldronModel

// The forms that work in the background, on the default stack or another one.

extension ManagedEntity {
  /// Inserts objects at once, in the background.
  ///
  /// ```swift
  /// try await Person.batchInsert(1_000) { row, index in row.name = "person \(index)" }
  /// ```
  /// - Parameters:
  ///   - stack: Whose store; nil for the default one.
  ///   - fill: Is called for each, in the background, before the transaction begins.
  /// - Throws: What the closure throws; `validation.…`, `save.constraint`, `store.…`. Then nothing is
  ///   written.
  @discardableResult
  public static func batchInsert(
    _ count: Int, returningIDs: Bool = false, in stack: Stack? = nil,
    _ fill: @escaping @Sendable (_ row: BatchRow<Self>, _ index: Int) throws -> Void
  ) async throws -> BatchSummary {
    try await (stack ?? .default).batch {
      try batchInsert(count, returningIDs: returningIDs, in: $0, fill)
    }
  }

  /// Inserts an object for each value, at once, in the background.
  @discardableResult
  public static func batchInsert<Values: Sequence & Sendable>(
    _ values: Values, returningIDs: Bool = false, in stack: Stack? = nil,
    _ fill: @escaping @Sendable (_ row: BatchRow<Self>, _ value: Values.Element) throws -> Void
  ) async throws -> BatchSummary {
    try await (stack ?? .default).batch {
      try batchInsert(values, returningIDs: returningIDs, in: $0, fill)
    }
  }

  /// Inserts an object for each value that comes, all at once when the last one has come.
  ///
  /// ```swift
  /// try await Line.batchInsert(file.lines) { row, text in row.text = text }
  /// ```
  @discardableResult
  public static func batchInsert<Values: AsyncSequence>(
    _ values: Values, returningIDs: Bool = false, in stack: Stack? = nil,
    _ fill: @escaping @Sendable (_ row: BatchRow<Self>, _ value: Values.Element) throws -> Void
  ) async throws -> BatchSummary where Values.Element: Sendable {
    let gathered = try await gathered(values)
    return try await batchInsert(gathered, returningIDs: returningIDs, in: stack, fill)
  }

  /// Inserts an object for each value, or changes the one that has the same unique values, at once, in
  /// the background.
  ///
  /// ```swift
  /// try await Tag.upsert(names, on: \.name) { row, name in row.name = name }
  /// ```
  @discardableResult
  public static func upsert<Values: Sequence & Sendable>(
    _ values: Values, on paths: PartialKeyPath<Self>..., returningIDs: Bool = false,
    in stack: Stack? = nil,
    _ fill: @escaping @Sendable (_ row: BatchRow<Self>, _ value: Values.Element) throws -> Void
  ) async throws -> BatchSummary {
    let names = paths.map { KeyPathTable.name(of: $0) }
    return try await (stack ?? .default).batch { context in
      let rows = try context.newBatchRows(Self.self)
      for value in values {
        rows.begin()
        try fill(BatchRow(rows), value)
      }
      return try context.write(rows, on: names, returningIDs: returningIDs)
    }
  }

  private static func gathered<Values: AsyncSequence>(
    _ values: Values
  ) async throws -> [Values.Element] where Values.Element: Sendable {
    var result: [Values.Element] = []
    for try await value in values { result.append(value) }
    return result
  }
}
