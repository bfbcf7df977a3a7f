public import CauldronGraph
import CauldronModel
public import CauldronSave

extension ManagedEntity {
  /// Inserts an object for each value, at once: in one transaction, without hooks.
  ///
  /// ```swift
  /// try Person.batchInsert(records, in: context) { row, record in row.name = record.name }
  /// try Person.batchInsert(0..<1_000, in: context) { row, index in row.name = "person \(index)" }
  /// ```
  /// Properties that are not set have their defaults. The rows are packed as the closure fills them, and
  /// written when the last one is; no object is made.
  /// - Parameters:
  ///   - values: One for each object.
  ///   - returningIDs: Whether the summary names the objects, in their order; false by default.
  ///   - context: Whose store is written.
  ///   - fill: Is called for each, before the transaction begins.
  /// - Throws: What the closure throws; `validation.…`, `save.constraint`, `store.…`. Then nothing is
  ///   written.
  /// - Complexity: O(*n*); a statement for about thirty rows.
  @discardableResult
  public static func batchInsert<Values: Sequence>(
    _ values: Values, returningIDs: Bool = false, in context: some ObjectContext,
    _ fill: (_ row: BatchRow<Self>, _ value: Values.Element) throws -> Void
  ) throws -> BatchSummary {
    let context = context.managedObjectContext
    let rows = try filledRows(for: values, in: context, fill: fill)
    return try context.write(rows, on: nil, returningIDs: returningIDs)
  }

  /// Inserts an object for each value, or changes the one that has the same unique values, at once.
  ///
  /// ```swift
  /// try Tag.upsert(names, on: \.name, in: context) { row, name in row.name = name; row.count = 0 }
  /// ```
  /// Of an object that exists no more is changed than the closure sets. Of two values for one object the
  /// later one goes before the earlier. A unique value that is nil is equal to nothing.
  /// - Parameters:
  ///   - values: One for each object.
  ///   - paths: The properties of a unique key, as `#Unique` or `@Attribute(.unique)` declares it.
  ///   - returningIDs: Whether the summary names the objects.
  ///   - context: A context of the store.
  ///   - fill: Is called for each, before the transaction begins; it sets the unique properties, too.
  /// - Returns: How many objects are new, and how many were changed.
  /// - Throws: `query.unsupported` where the properties need not be unique; otherwise as
  ///   `batchInsert(_:returningIDs:in:_:)`.
  /// - Complexity: O(*n*); a statement for about thirty new rows, one for each changed one, and one for
  ///   some hundred rows to find these.
  @discardableResult
  public static func upsert<Values: Sequence>(
    _ values: Values, on paths: PartialKeyPath<Self>..., returningIDs: Bool = false,
    in context: some ObjectContext,
    _ fill: (_ row: BatchRow<Self>, _ value: Values.Element) throws -> Void
  ) throws -> BatchSummary {
    let context = context.managedObjectContext
    let rows = try filledRows(for: values, in: context, fill: fill)
    let names = paths.map { KeyPathTable.name(of: $0) }
    return try context.write(rows, on: names, returningIDs: returningIDs)
  }

  private static func filledRows<Values: Sequence>(
    for values: Values, in context: ManagedObjectContext,
    fill: (BatchRow<Self>, Values.Element) throws -> Void
  ) throws -> BatchRows {
    let rows = try context.newBatchRows(Self.self)
    for value in values {
      rows.begin()
      try fill(BatchRow(rows), value)
    }
    return rows
  }
}

// The forms that work in the background, on the default stack or another one.

extension ManagedEntity {
  /// Inserts an object for each value, at once, in the background.
  ///
  /// ```swift
  /// try await Person.batchInsert(0..<1_000) { row, index in row.name = "person \(index)" }
  /// ```
  /// - Parameters:
  ///   - values: One for each object.
  ///   - returningIDs: Whether the summary names the objects.
  ///   - stack: Whose store; nil for the default one.
  ///   - fill: Is called for each, in the background, before the transaction begins.
  /// - Throws: What the closure throws; `validation.…`, `save.constraint`, `store.…`. Then nothing is
  ///   written.
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
