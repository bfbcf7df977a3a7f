import CauldronGraph
import CauldronImport
import CauldronModel

extension ManagedObjectContext {
  /// Imports records in a child, which is saved to the context.
  /// - Parameters:
  ///   - name: That of the records' entity.
  ///   - known: The object that the only record is; nil where its key says that.
  /// - Returns: The objects of the records in their order, nil for those that were refused.
  func importValues(
    _ records: [JSONValue], _ plan: ImportPlan, named name: String,
    into known: ManagedObjectID? = nil
  ) throws -> ([ManagedObjectID?], ImportReport) {
    try importMayBegin()
    publishIfCurrent()
    let child = ManagedObjectContext(.private, parent: self, name: "Import of \(name)")
    let (ids, report) = try child.performAndWait { local in
      let run = ImportRun(plan, local.context)
      run.known = try known.map { try local.existingObject(with: $0) }
      try run.take(records, plan)
      try local.save(mergePolicy: plan.options.mergePolicy)
      return (run.collected ?? [], run.report)
    }
    catchUpIfCurrent()
    // What the caller has at hand shows it, in the middle of an event, too.
    publishIfCurrent()
    logger.note(report, of: plan)
    return (ids, report)
  }
}

extension ImportRun {
  /// Imports all records there are.
  fileprivate func take(_ records: [JSONValue], _ plan: ImportPlan) throws {
    var reader = RecordReader(plan)
    collected = []
    if plan.readsTwice {
      var keys = ImportKeys()
      var first = RecordReader(plan)
      for record in records { first.read(record) }
      keys.note(first.take(), plan)
      announced = keys
    }
    for record in records {
      reader.read(record)
      if reader.waiting >= 500 { try take(reader.take()) }
    }
    try take(reader.take())
    try finish()
  }
}
