public import CauldronModel
import CauldronSQLite
public import Foundation

extension ManagedObjectModel {
  /// Reads a model that no class describes: one that Xcode edits or has compiled, or the one of a store.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(contentsOf: URL(filePath: "Notes.xcdatamodeld"))
  /// let stack = try Stack(storeURL: store, model: model)
  /// let notes = try stack.defaultContext.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
  /// let title = notes.first?.value(forKey: "title")
  /// ```
  ///
  /// Its objects are plain managed objects, whose properties are read and set by name. Bounds,
  /// notes, templates, fetched properties and configurations are read from XML alone.
  /// - Parameter url: An `.xcdatamodel` or `.mom`; an `.xcdatamodeld` or `.momd`, whose current version counts; or a
  ///   store, which is not changed, and of which nothing but the copy of its model is read.
  /// - Throws: ``CauldronError`` with the code `model.invalid`, with the line where it is XML;
  ///   `migration.noSource` where a store has no copy of its model.
  /// - Complexity: O(bytes).
  public convenience init(contentsOf url: URL) throws {
    let origin = ModelOrigin(url)
    let model = try origin.descriptions()
    try self.init(
      entities: model.entities, name: origin.name, versionIdentifiers: model.versionIdentifiers,
      fetchRequestTemplates: model.fetchRequestTemplates, configurations: model.configurations,
      source: model.source)
  }

  /// Writes the model for Xcode, or for programs without its classes.
  ///
  /// ```swift
  /// try ManagedObjectModel.discovered().write(to: URL(filePath: "Notes.xcdatamodel"))
  /// ```
  ///
  /// A model that was read from XML gives the same XML, with all that only Xcode knows. Of others, equal models
  /// give equal bytes, and version hashes stay the same; left out are computed defaults, rules of code
  /// or patterns, bounds of dates, and this library's own settings of imports and migrations.
  /// - Parameter url: An `.xcdatamodel` or `.mom`; or an `.xcdatamodeld`, whose current version is replaced, and
  ///   others stay.
  /// - Throws: ``CauldronError`` with the code `model.invalid` where the name has another ending, or the file cannot
  ///   be written.
  public func write(to url: URL) throws {
    try ModelDestination(url).write(self)
  }
}
