import Cauldron
import Dispatch

/// Creates packages on a private context whose saves go through the main context to the file.
struct Importer {
  /// Seconds spent creating objects, and saving them.
  private(set) var creating = 0.0
  private(set) var saving = 0.0
  private let context = ManagedObjectContext.contextWithParent(.default)

  /// Imports a batch and saves it up to the file.
  mutating func add(_ batch: [PackageRecord]) async throws {
    let began = DispatchTime.now()
    try await context.perform { context in
      for record in batch { try Package.create(record, in: context) }
    }
    creating += began.secondsAgo
    let created = DispatchTime.now()
    try await context.save(toPersistentStore: true)
    saving += created.secondsAgo
  }
}

extension Package {
  /// Creates the package that a stanza tells of.
  fileprivate static func create(_ record: PackageRecord, in context: LocalContext) throws {
    let package = Package.create(in: context)
    package.name = record.name
    package.version = record.version
    package.architecture = record.architecture
    package.installedSize = record.installedSize
    package.size = record.size
    package.summary = record.summary
    package.section = try record.section.map {
      try Section.findOrCreate(\.name, $0, in: context)
    }
    package.maintainer = try record.maintainer.map {
      try Maintainer.findOrCreate(\.name, $0, in: context)
    }
  }
}
