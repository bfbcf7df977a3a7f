import CauldronModel
import CauldronSQLite
public import CauldronStore
public import Foundation

extension MigrationPlan {
  /// A plan that leads old stores through all versions of a model that Xcode edits or has compiled.
  ///
  /// ```swift
  /// let url = URL(filePath: "Notes.xcdatamodeld")
  /// let plan = try MigrationPlan(
  ///   versionsOf: url, steps: ["Notes 3": [splitNames]], discarding: ["Notes 2": ["Note.color: String"]])
  /// configuration.migration = .plan(plan)
  /// try setupStack(storeURL: store, modelURL: url, configuration: configuration)
  /// ```
  /// The order of the versions is that of their names: `Notes`, `Notes 2`, `Notes 10`. Versions behind the
  /// current one do not count, and versions with the same hashes are one. Where names tell no order, list the versions
  /// with ``init(versions:_:)``.
  /// - Parameters:
  ///   - modelURL: An `.xcdatamodeld` or `.momd`.
  ///   - steps: What runs when a store becomes one of a version, by the names of the versions.
  ///   - discarding: What a store may lose when it becomes one of a former version, by the names of the versions; of
  ///     the current one its classes tell.
  /// - Throws: ``CauldronError`` with the code `model.invalid` where a version cannot be read, or a name is none of
  ///   a version.
  /// - Complexity: O(bytes of all versions).
  public init(
    versionsOf modelURL: URL, steps: [String: [MigrationStep]] = [:],
    discarding: [String: Set<String>] = [:]
  ) throws {
    let places = try ModelOrigin(modelURL).versions()
    let names = places.map { $0.deletingPathExtension().lastPathComponent }
    for name in Set(steps.keys).union(discarding.keys).sorted() where !names.contains(name) {
      throw CauldronError(
        .modelInvalid, "\(modelURL.lastPathComponent) has no version \"\(name)\".",
        hint: "It has \(names.joined(separator: ", ")).")
    }
    if let last = names.last, discarding[last] != nil {
      throw CauldronError(
        .modelInvalid, "\(last) is the current version, whose losses no version has to allow.",
        hint: "Say them in @Entity(discards:), or have a step discard them.")
    }
    let models = try places.map { try ManagedObjectModel(contentsOf: $0) }
    let hashes = models.map(\.entityVersionHashesByName)
    var versions: [MigrationVersion] = []
    var (waiting, losses): ([MigrationStep], Set<String>) = ([], [])
    for (place, name) in names.enumerated().dropLast() {
      waiting += steps[name] ?? []
      losses.formUnion(discarding[name] ?? [])
      // A version that comes again, as a copy does, is left to the later one.
      if hashes[(place + 1)...].contains(hashes[place]) { continue }
      let due = waiting
      versions.append(MigrationVersion(models[place], discarding: losses) { due })
      (waiting, losses) = ([], [])
    }
    let last = waiting + (names.last.flatMap { steps[$0] } ?? [])
    self.init(versions: versions) { last }
  }
}
