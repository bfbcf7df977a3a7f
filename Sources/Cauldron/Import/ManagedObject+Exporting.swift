public import CauldronGraph
public import CauldronImport
import CauldronModel

extension ManagedEntity {
  /// The object as JSON, written as an import would read it: what was exported imports as unchanged.
  ///
  /// ```swift
  /// let json = try person.exportJSON(depth: 2)
  /// ```
  /// - Parameters:
  ///   - depth: How many levels of objects are written out: 1 for the object alone. What they lead to beyond
  ///     is named by its key. Of entities without a key nothing is written: an import would create it again.
  ///   - options: How it would be imported; the mode and the mappings count. What has several names is written
  ///     by the first.
  /// - Throws: `export.lossy` for what would not come back: NaN, an object without a key, or a property whose
  ///   transform has no way back; also for a deleted object. `import.plan`.
  /// - Complexity: O(written objects); one statement for each relationship that was not read yet.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    guard let context = managedObjectContext else { throw RecordWriter.gone(Self._entityName) }
    // By its own entity: a superclass does not have all that it has.
    let plan = try context.persistentStoreCoordinator.importPlan(entity.name, options)
    var writer = RecordWriter(plan, depth: max(1, depth))
    return try writer.json(self)
  }
}

extension Collection where Element: ManagedEntity {
  /// The objects as an array in JSON; see ``ManagedEntity/exportJSON(depth:options:)``.
  /// - Throws: As the form of a single object; `export.lossy` also where one is of a subentity, of which the
  ///   records of the class do not have all.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    if isEmpty { return "[]" }
    guard let context = lazy.compactMap(\.managedObjectContext).first else {
      throw RecordWriter.gone(Element._entityName)
    }
    let plan = try context.persistentStoreCoordinator.importPlan(Element._entityName, options)
    var writer = RecordWriter(plan, depth: Swift.max(1, depth))
    let texts = try map { try writer.json($0) }
    return "[" + texts.joined(separator: ",\n") + "]"
  }
}
