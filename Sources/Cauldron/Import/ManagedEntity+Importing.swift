public import CauldronGraph
public import CauldronImport
import CauldronModel

extension ManagedEntity {
  /// Imports records that are Swift values: dictionaries with names and values, as from a decoder.
  ///
  /// ```swift
  /// let people = try Person.importFrom([["id": 1, "name": "jack"]], in: context)
  /// ```
  /// What was imported is unsaved in the context, as what a child has saved into it: its undo manager does not
  /// note it, and the options' merge policy goes with it. Records that are refused are logged and reported, and
  /// not in the result.
  /// - Parameters:
  ///   - records: Dictionaries, or one of them.
  ///   - context: Where the objects are found and created; what it has not saved counts.
  ///   - options: How it is run; `commitEvery` counts for imports by a stack alone.
  ///   - reporting: Gets what was done.
  /// - Returns: The objects of the records in their order; one that several records name is there as often.
  /// - Throws: `import.plan`, `import.tooDeep`; `store.…`. Then the context is as before.
  @discardableResult
  public static func importFrom(
    _ records: [Any], in context: some ObjectContext, options: ImportOptions = ImportOptions(),
    reporting: ((ImportReport) -> Void)? = nil
  ) throws -> [Self] {
    let tape = try JSONTape(records)
    return try imported(tape.root.elements, context.managedObjectContext, options, reporting)
  }

  /// Imports one record; see ``importFrom(_:in:options:reporting:)-(_,_,_,_)``.
  /// - Returns: Its object; nil where it was refused.
  @discardableResult
  public static func importFrom(
    _ record: [String: Any], in context: some ObjectContext,
    options: ImportOptions = ImportOptions(), reporting: ((ImportReport) -> Void)? = nil
  ) throws -> Self? {
    try importFrom([record], in: context, options: options, reporting: reporting).first
  }

  /// Imports records that are `Encodable` values: what their JSON says, and dates as they are.
  ///
  /// A record that cannot be encoded is refused.
  @discardableResult
  public static func importFrom<Record: Encodable>(
    _ records: [Record], in context: some ObjectContext,
    options: ImportOptions = ImportOptions(), reporting: ((ImportReport) -> Void)? = nil
  ) throws -> [Self] {
    let encoder = RecordEncoder()
    return try imported(
      records.map { encoder.value($0) }, context.managedObjectContext, options, reporting)
  }

  private static func imported(
    _ records: [JSONValue], _ context: ManagedObjectContext, _ options: ImportOptions,
    _ reporting: ((ImportReport) -> Void)?
  ) throws -> [Self] {
    let plan = try context.persistentStoreCoordinator.importPlan(_entityName, options)
    let (ids, report) = try context.importValues(records, plan, named: _entityName)
    reporting?(report)
    return ids.compactMap { id in id.flatMap { context.object(with: $0) as? Self } }
  }
}

extension ManagedEntity {
  /// Imports records that are Swift values, into the default context.
  @MainActor @discardableResult
  public static func importFrom(
    _ records: [Any], options: ImportOptions = ImportOptions(),
    reporting: ((ImportReport) -> Void)? = nil
  ) throws -> [Self] {
    try importFrom(
      records, in: ManagedObjectContext.default, options: options, reporting: reporting)
  }

  /// Imports one record into the default context.
  @MainActor @discardableResult
  public static func importFrom(
    _ record: [String: Any], options: ImportOptions = ImportOptions(),
    reporting: ((ImportReport) -> Void)? = nil
  ) throws -> Self? {
    try importFrom(
      record, in: ManagedObjectContext.default, options: options, reporting: reporting)
  }
}
