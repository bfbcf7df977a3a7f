import Cauldron
import Dispatch

/// Creates packages on a private context whose saves go through the main context to the file.
struct Importer {
  /// Seconds spent creating objects, and saving them.
  private(set) var creating = 0.0
  private(set) var saving = 0.0
  private let context = ManagedObjectContext.contextWithParent(.default)
  private var names = KnownNames()

  /// Imports a batch and saves it up to the file.
  mutating func add(_ batch: [PackageRecord]) async throws {
    let began = DispatchTime.now()
    let known = names
    names = await context.perform { context in
      var names = known
      for record in batch { Package.create(record, &names, in: context) }
      return names
    }
    creating += began.secondsAgo
    let created = DispatchTime.now()
    try await context.save(toPersistentStore: true)
    saving += created.secondsAgo
  }
}

extension Package {
  /// Creates the package that a stanza tells of.
  fileprivate static func create(
    _ record: PackageRecord, _ names: inout KnownNames, in context: LocalContext
  ) {
    let package = Package.create(in: context)
    package.name = record.name
    package.version = record.version
    package.architecture = record.architecture
    package.installedSize = record.installedSize
    package.size = record.size
    package.summary = record.summary
    package.section = record.section.map { names.sections.object(named: $0, in: context) }
    package.maintainer = record.maintainer.map { names.maintainers.object(named: $0, in: context) }
  }
}

/// The sections and maintainers that exist.
private struct KnownNames: Sendable {
  var sections = NameTable<Section>()
  var maintainers = NameTable<Maintainer>()
}

/// The IDs of the objects that exist, by name; IDs stay valid on every context and after saves.
private struct NameTable<Object: Named>: Sendable {
  private var ids: [String: ManagedObjectID] = [:]

  /// The object with a name, created if it is new.
  mutating func object(named name: String, in context: LocalContext) -> Object {
    if let id = ids[name], let object = context.object(with: id) as? Object { return object }
    let object = Object.create(in: context)
    object.name = name
    ids[name] = object.objectID
    return object
  }
}
