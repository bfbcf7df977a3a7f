public import CauldronGraph
public import CauldronImport
import CauldronModel
import CauldronSave

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
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - reporting: Gets what was done.
  /// - Returns: The objects of the records in their order; one that several records name is there as often.
  /// - Throws: `import.plan`, `import.tooDeep`; `store.…`. Then the context is as before.
  @discardableResult
  public static func importFrom(
    _ records: [Any], in context: some ObjectContext, options: ImportOptions = ImportOptions(),
    file: String = #fileID, line: Int = #line, reporting: ((ImportReport) -> Void)? = nil
  ) throws -> [Self] {
    let tape = try JSONTape(records)
    let (objects, report) = try imported(
      tape.root.elements, into: context.managedObjectContext, options: options, at: (file, line))
    reporting?(report)
    return objects
  }

  /// Imports records that are `Encodable` values: what their JSON says, and dates as they are.
  ///
  /// A record that cannot be encoded is refused.
  @discardableResult
  public static func importFrom<Record: Encodable>(
    _ records: [Record], in context: some ObjectContext,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    reporting: ((ImportReport) -> Void)? = nil
  ) throws -> [Self] {
    let encoder = RecordEncoder()
    let (objects, report) = try imported(
      records.map { encoder.value($0) }, into: context.managedObjectContext, options: options,
      at: (file, line))
    reporting?(report)
    return objects
  }

  private static func imported(
    _ records: [JSONValue], into context: ManagedObjectContext, options: ImportOptions,
    at callSite: (file: String, line: Int)
  ) throws -> ([Self], ImportReport) {
    let plan = try ImportPlan(
      for: _entityName, on: context.persistentStoreCoordinator, options: options)
    let (ids, report) = try context.importValues(records, by: plan, at: callSite)
    return (ids.compactMap { id in id.flatMap { context.object(with: $0) as? Self } }, report)
  }
}

extension ManagedObject {
  /// Imports a record into this very object: no key is needed, and none asked which object is meant.
  ///
  /// ```swift
  /// try person.importValues(from: ["name": "jack", "employer": ["id": 7]])
  /// ```
  /// What the record leads to is found and created as in any import. What was imported is unsaved in the
  /// object's context, as what a child has saved into it; afterwards the object must be one that can be saved.
  /// - Parameters:
  ///   - record: The names and values.
  ///   - options: How it is run.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - reporting: Gets what was done.
  /// - Returns: Whether it was imported; false where the record was refused, which is logged and reported, and
  ///   where the object's `shouldImport(_:)` says no.
  /// - Throws: `import.plan`, `import.value`, `import.tooDeep`; `object.notFound` where the object is in no
  ///   context, or gone; `store.…`. Then the context is as before.
  @discardableResult
  public final func importValues(
    from record: [String: Any], options: ImportOptions = ImportOptions(),
    file: String = #fileID, line: Int = #line, reporting: ((ImportReport) -> Void)? = nil
  ) throws -> Bool {
    guard let context = managedObjectContext else {
      throw CauldronError(
        .objectNotFound, "Cannot import into \(objectID): it is in no context.",
        hint: "Import into the object of a context.")
    }
    let tape = try JSONTape(record, isAlone: true)
    let name = entity.name
    let plan = try ImportPlan(
      for: name, on: context.persistentStoreCoordinator, options: options, isKnown: true)
    let (_, report) = try context.importValues(
      [tape.root], by: plan, into: objectID, at: (file, line))
    reporting?(report)
    return report.refused == 0 && report.declined == 0
  }
}

extension ManagedObjectContext {
  /// Imports records in a child, which is saved to the context.
  /// - Parameters:
  ///   - known: The object that the only record is; nil where its key says that.
  ///   - callSite: The line of the program that asked for the import.
  /// - Returns: The objects of the records in their order, nil for those that were refused.
  func importValues(
    _ records: [JSONValue], by plan: ImportPlan, into known: ManagedObjectID? = nil,
    at callSite: (file: String, line: Int)
  ) throws -> ([ManagedObjectID?], ImportReport) {
    try importMayBegin()
    publishIfCurrent()
    let child = ManagedObjectContext(.private, parent: self, name: "Import of \(plan.name)")
    let (ids, report) = try child.performAndWait { local in
      let run = ImportRun(plan, local.context)
      run.know(try known.map { try local.existingObject(with: $0) })
      try run.take(records, by: plan)
      try local.save(
        mergePolicy: plan.options.mergePolicy, file: callSite.file, line: callSite.line)
      return (run.collected ?? [], run.report)
    }
    catchUpIfCurrent()
    // What the caller has at hand shows it, in the middle of an event, too.
    publishIfCurrent()
    logger.note(report, of: plan, showsValues: persistentStoreCoordinator.showsValues)
    return (ids, report)
  }
}

extension ImportRun {
  /// Imports all records there are.
  fileprivate func take(_ records: [JSONValue], by plan: ImportPlan) throws {
    var reader = RecordReader(plan)
    collected = []
    if plan.readsTwice {
      var keys = ImportKeys()
      var first = RecordReader(plan)
      for record in records { first.read(record) }
      keys.note(first.take(), plan)
      announce(keys)
    }
    for record in records {
      reader.read(record)
      if reader.waiting >= 500 { try take(reader.take()) }
    }
    try take(reader.take())
    try finish()
  }
}
