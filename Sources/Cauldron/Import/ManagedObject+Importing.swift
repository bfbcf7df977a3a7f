public import CauldronGraph
public import CauldronImport
import CauldronModel

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
  ///   - reporting: Gets what was done.
  /// - Returns: Whether it was imported; false where the record was refused, which is logged and reported, and
  ///   where the object's `shouldImport(_:)` says no.
  /// - Throws: `import.plan`, `import.value`, `import.tooDeep`; `object.notFound` where the object is in no
  ///   context, or gone; `store.…`. Then the context is as before.
  @discardableResult
  public final func importValues(
    from record: [String: Any], options: ImportOptions = ImportOptions(),
    reporting: ((ImportReport) -> Void)? = nil
  ) throws -> Bool {
    guard let context = managedObjectContext else {
      throw CauldronError(
        .objectNotFound, "Cannot import into \(objectID): it is in no context.",
        hint: "Import into the object of a context.")
    }
    let tape = try JSONTape(record, isAlone: true)
    let name = entity.name
    let plan = try context.persistentStoreCoordinator.importPlan(name, options, isKnown: true)
    let (_, report) = try context.importValues([tape.root], plan, named: name, into: objectID)
    reporting?(report)
    return report.refused == 0 && report.declined == 0
  }
}
