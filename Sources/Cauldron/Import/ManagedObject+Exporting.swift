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
  ///     is named by its key, or left out where its entity has none.
  ///   - options: How it would be imported; the mode, the names and the mappings count.
  /// - Throws: `export.lossy` for what would not come back: NaN, or a property whose transform has no way
  ///   back; `import.plan`.
  /// - Complexity: O(written objects); one statement for each relationship that was not read yet.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    try [self].exportJSON(depth: depth, options: options, isAlone: true)
  }
}

extension Collection where Element: ManagedEntity {
  /// The objects as an array in JSON; see ``ManagedEntity/exportJSON(depth:options:)``.
  /// - Throws: As the form of a single object.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    try exportJSON(depth: depth, options: options, isAlone: false)
  }

  fileprivate func exportJSON(depth: Int, options: ImportOptions, isAlone: Bool) throws -> String {
    guard let context = first?.managedObjectContext else { return isAlone ? "null" : "[]" }
    let plan = try context.persistentStoreCoordinator.importPlan(Element._entityName, options)
    var writer = RecordWriter(plan, depth: Swift.max(1, depth))
    let texts = try map { try writer.json($0) }
    return isAlone ? texts[0] : "[" + texts.joined(separator: ",\n") + "]"
  }
}
