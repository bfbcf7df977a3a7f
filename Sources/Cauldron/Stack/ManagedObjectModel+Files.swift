public import CauldronGraph
public import CauldronModel
import CauldronSQLite
public import Foundation
import Logging

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
  /// A model that was read from XML is written as that XML. Any other one is written from its descriptions: equal
  /// models give equal bytes, and version hashes stay the same. Left out are computed defaults, rules of code
  /// or patterns, bounds of dates, and this library's own settings of imports and migrations.
  /// - Parameter url: An `.xcdatamodel` or `.mom`; or an `.xcdatamodeld`, whose current version is replaced, and
  ///   others stay.
  /// - Throws: ``CauldronError`` with the code `model.invalid` where the name has another ending, or the file cannot
  ///   be written.
  public func write(to url: URL) throws {
    try ModelDestination(url).write(self)
  }

  /// Writes the model where the environment variable `CAULDRON_WRITE_MODEL` says, so that a program writes its
  /// model without a change.
  func writeIfAsked(logger: Logger) throws {
    guard let path = ProcessInfo.processInfo.environment["CAULDRON_WRITE_MODEL"], !path.isEmpty
    else { return }
    try write(to: URL(filePath: path))
    logger.notice("Wrote the model to \(path), as CAULDRON_WRITE_MODEL asks.")
  }
}

extension ManagedObjectModel {
  /// The model of a file, whose objects are of the program's `@Entity` classes where there is one.
  ///
  /// A class belongs to the entity with its name, which `@Entity("Name")` may give. Entities
  /// without a class have plain managed objects, and classes of other entities are left alone. The class must
  /// say what the file says of all that a store keeps; transient properties, bounds, delete rules and indexes are
  /// those of the class. Notes, fetched properties, templates and configurations are those of the file.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(contentsOf: url, classes: [Note.self, Folder.self])
  /// ```
  /// - Parameters:
  ///   - url: As in ``init(contentsOf:)``.
  ///   - classes: The classes; nil takes every `@Entity` class of the program.
  /// - Throws: As ``init(contentsOf:)``; `model.invalid` with each difference between a class and the file.
  public convenience init(contentsOf url: URL, classes: [ManagedObject.Type]?) throws {
    let file = try ManagedObjectModel(contentsOf: url)
    let classes = classes ?? EntityDiscovery.classes()
    if let error = CauldronError.modelInvalid(file.misnamed(classes)) { throw error }
    let described = Dictionary(
      classes.map { ($0._entityName, $0._describeEntity()) }
    ) { first, _ in first }
    try self.init(
      entities: file.entities.map { entity in
        described[entity.name].map { entity.joined(with: $0) } ?? entity
      }, name: file.name, versionIdentifiers: file.versionIdentifiers,
      fetchRequestTemplates: file.fetchRequestTemplates, configurations: file.configurations)
    let places = ("in the class", "in \(url.lastPathComponent)")
    let differences = differences(from: file, places: places)
    if let error = CauldronError.modelInvalid(differences) {
      throw error.with {
        $0.hint =
          "Change the class or the file; \(url.lastPathComponent) is what stores are made of."
      }
    }
  }

  /// One model of the entities of several.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel.merged([notes, people])
  /// ```
  /// An entity that several models have must be the same in all of them. Templates and configurations of one name
  /// are those of the first model that has it, and a configuration has the entities of all.
  /// - Throws: `model.invalid` where two models say different things of an entity, with each difference; as
  ///   ``init(entities:name:versionIdentifiers:fetchRequestTemplates:configurations:)``.
  public static func merged(_ models: [ManagedObjectModel]) throws -> ManagedObjectModel {
    var entities: [String: EntityDescription] = [:]
    var owners: [String: ManagedObjectModel] = [:]
    var differences: [String] = []
    for model in models {
      for entity in model.entities {
        guard let owner = owners[entity.name] else {
          (entities[entity.name], owners[entity.name]) = (entity, model)
          continue
        }
        let places = ("in \(owner.name)", "in \(model.name)")
        differences += owner.differences(from: model, places: places).filter {
          $0.hasPrefix("\(entity.name).") || $0.hasPrefix("\(entity.name) ")
        }
      }
    }
    if let error = CauldronError.modelInvalid(differences) { throw error }
    return try ManagedObjectModel(
      entities: entities.values.sorted { $0.name < $1.name },
      name: models.map(\.name).joined(separator: "+"),
      versionIdentifiers: Array(Set(models.flatMap(\.versionIdentifiers))).sorted(),
      fetchRequestTemplates: models.flatMap(\.fetchRequestTemplates).firstOfEachName,
      configurations: models.reduce(into: [:]) { result, model in
        result.merge(model.configurations) { Array(Set($0 + $1)).sorted() }
      })
  }
}

extension ManagedObjectModel {
  /// A sentence for each class of the file with the name of a wrong entity.
  fileprivate func misnamed(_ classes: [ManagedObject.Type]) -> [String] {
    let names = Set(entities.map(\.name))
    let byName = Dictionary(
      classes.filter { !names.contains($0._entityName) }.map { ("\($0)", $0) }
    ) { first, _ in first }
    return entities.compactMap { entity in
      guard let type = entity.representedClassName.flatMap({ byName[$0] }) else { return nil }
      return "\(type) is the class of \(entity.name) in \(name), and says that it is that of"
        + " \(type._entityName); write @Entity(\"\(entity.name)\")"
    }
  }
}

extension EntityDescription {
  /// The description of a class with what the file alone says.
  fileprivate func joined(with description: EntityDescription) -> EntityDescription {
    var result = description
    result.fetchedProperties = fetchedProperties
    result.userInfo = userInfo
    if result.originalNames.isEmpty { result.originalNames = originalNames }
    return result
  }
}

extension [FetchRequestTemplate] {
  fileprivate var firstOfEachName: [FetchRequestTemplate] {
    var names: Set<String> = []
    return filter { names.insert($0.name).inserted }
  }
}

/// Opens a store with the model of a file, or creates it, and makes it the default stack.
///
/// ```swift
/// try setupStack(storeURL: store, modelURL: URL(filePath: "Notes.xcdatamodeld"))
/// ```
/// Objects are of the program's `@Entity` classes where there is one, as with
/// `ManagedObjectModel(contentsOf:classes:)`.
/// - Parameters:
///   - storeURL: The store's file; nil keeps everything in memory.
///   - modelURL: An `.xcdatamodel` or `.mom`; an `.xcdatamodeld` or `.momd`, whose current version counts; or a store.
///   - configuration: How the store is opened, and where to log.
/// - Returns: The stack, which ``Stack/default`` gives from now on.
/// - Throws: As ``setupStack(storeURL:model:configuration:)``; `model.invalid` with each difference between a class
///   and the file.
@discardableResult
public func setupStack(
  storeURL: URL?, modelURL: URL, configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  let model = try ManagedObjectModel(contentsOf: modelURL, classes: nil)
  return try setupStack(storeURL: storeURL, model: model, configuration: configuration)
}
