public import CauldronGraph
public import CauldronModel
public import Foundation

extension ManagedObjectModel {
  /// The model of a file, whose objects are of the program's `@Entity` classes where there is one.
  ///
  /// A class is that of the entity with its name: that of the class, or what `@Entity("Name")` says. Entities
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
