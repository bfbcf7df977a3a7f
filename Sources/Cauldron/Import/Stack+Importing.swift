public import CauldronGraph
public import CauldronImport
import CauldronModel
public import Foundation
import Logging

extension Stack {
  /// Imports the records of a JSON file, and saves them to the store.
  ///
  /// ```swift
  /// let report = try await Stack.default.importJSON(contentsOf: url, as: Country.self, root: "3166-1")
  /// print(report)  // 249 countries: 3 created, 12 updated, 233 unchanged; 1 refused: /17/area: …
  /// ```
  /// What a record says goes where the model says; the article `Importing` tells how. A record that cannot
  /// be imported is refused as a whole, reported, and stops nobody. All is saved at the end, unless the
  /// options say otherwise.
  /// - Parameters:
  ///   - url: The file: an array of objects, or one object.
  ///   - type: The class of the records.
  ///   - root: What leads to the records: names with points between them, or a JSON pointer; nil where the
  ///     whole text is the records.
  ///   - options: How it is run.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - progress: Called now and then, on whatever thread.
  /// - Throws: `import.plan` before anything is read; `import.syntax`, `import.root`,
  ///   `import.duplicateKey`, `import.tooDeep`, `import.io`, and as a save; then nothing is imported, but
  ///   what `commitEvery` has saved.
  /// - Complexity: One statement for each entity that keys are looked for in and few hundred records.
  @discardableResult
  public func importJSON<Entity: ManagedEntity>(
    contentsOf url: URL, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .file(url), root: root, callSite: (file, line), progress: progress),
      into: type._entityName, options)
  }

  /// Imports the records of JSON in memory, and saves them to the store; see
  /// ``importJSON(contentsOf:as:root:options:file:line:progress:)``.
  @discardableResult
  public func importJSON<Entity: ManagedEntity>(
    _ data: Data, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .data(data), root: root, callSite: (file, line), progress: progress),
      into: type._entityName,
      options)
  }

  /// Imports the records of JSON in memory that are of an entity without a class.
  @discardableResult
  public func importJSON(
    _ data: Data, asEntityNamed name: String, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .data(data), root: root, callSite: (file, line), progress: progress), into: name,
      options)
  }

  /// Imports the records of a file that are of an entity without a class.
  @discardableResult
  public func importJSON(
    contentsOf url: URL, asEntityNamed name: String, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .file(url), root: root, callSite: (file, line), progress: progress), into: name,
      options)
  }

  /// Tells what an import would do, and changes nothing: not even keys are reserved in the file.
  ///
  /// ```swift
  /// print(try await Stack.default.planImport(of: data, as: Country.self))
  /// ```
  /// Hooks run as they would. What other contexts save meanwhile is not in it.
  /// - Throws: As ``importJSON(contentsOf:as:root:options:file:line:progress:)``.
  public func planImport<Entity: ManagedEntity>(
    of data: Data, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .data(data), root: root, callSite: (file, line), isPreview: true),
      into: type._entityName, options)
  }

  /// Tells what an import of a file would do, and changes nothing; see ``planImport(of:as:root:options:file:line:)``.
  public func planImport<Entity: ManagedEntity>(
    contentsOf url: URL, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line
  ) async throws -> ImportReport {
    try await run(
      ImportJob(
        input: .file(url), root: root, callSite: (file, line), isPreview: true),
      into: type._entityName, options)
  }

  private func run(
    _ job: ImportJob, into name: String, _ options: ImportOptions
  ) async throws -> ImportReport {
    let plan = try ImportPlan(for: name, on: coordinator, options: options)
    let report = try await ImportGate.shared.pass(plan, coordinator) { [rootSavingContext] in
      try await job.run(by: plan, into: rootSavingContext)
    }
    if !job.isPreview {
      coordinator.logger.note(report, of: plan, showsValues: coordinator.showsValues)
    }
    return report
  }
}

/// The text of an import, and how it is run.
private struct ImportJob: Sendable {
  let input: ImportInput
  /// What leads to the records; nil where the whole text is the records.
  let root: String?
  /// The line of the program that asked for the import.
  let callSite: (file: String, line: Int)
  var progress: (@Sendable (ImportProgress) -> Void)?
  /// Whether nothing is to be changed.
  var isPreview = false

  func run(
    by plan: ImportPlan, into parent: ManagedObjectContext
  ) async throws -> ImportReport {
    let path = path
    let session = ImportSession(
      plan, parent: parent, isPreview: isPreview, at: callSite)
    let keys = plan.readsTwice ? try input.keys(plan, root: path) : nil
    let start = ContinuousClock.now
    do {
      try await input.read(by: plan, root: path) { chunk, place in
        try await session.take(chunk, keys)
        progress?(
          ImportProgress(
            records: place.records, bytes: place.bytes, totalBytes: place.total,
            elapsed: start.duration(to: .now)))
      }
      return try await session.finish()
    } catch {
      guard let hint = await session.resumption() else { throw error }
      guard let error = error as? CauldronError else {
        parent.logger.notice("The import of \(plan.name) has ended early. \(hint)")
        throw error
      }
      throw error.with { error in
        error.hint = [error.hint, hint].filter { !$0.isEmpty }.joined(separator: " ")
      }
    }
  }

  /// The names that the root stands for.
  private var path: [String] {
    guard let root, !root.isEmpty else { return [] }
    let names = ImportPointer.names(root)
    return root.hasPrefix("/") ? names : names.filter { !$0.isEmpty }
  }
}

extension ImportPlan {
  /// Compiles the plan of an import of an entity, and logs what is doubtful about it.
  /// - Parameter isKnown: Whether it is known already which object the record is.
  convenience init(
    for entity: String, on coordinator: PersistentStoreCoordinator, options: ImportOptions,
    isKnown: Bool = false
  ) throws {
    let model = coordinator.managedObjectModel
    guard let layout = model.layout(named: entity) else {
      throw CauldronError(
        .modelUnknownEntity, "No entity \"\(entity)\" in model \"\(model.name)\".",
        hint: Suggestion.hint(for: entity, among: model.entityLayouts.map(\.name)))
    }
    try self.init(layout, model, options, isKnown: isKnown)
    for warning in warnings { coordinator.logger.warning("\(warning)") }
  }
}

extension Logger {
  /// Tells what an import has done; as a warning where something was refused or left out.
  /// - Parameter showsValues: Whether values that were refused are told.
  func note(_ report: ImportReport, of plan: ImportPlan, showsValues: Bool) {
    // Those of the plan were logged before it began.
    for warning in report.warnings.dropFirst(plan.warnings.count) { self.warning("\(warning)") }
    let level = report.problemCount > 0 ? Logger.Level.warning : .info
    guard logLevel <= level else { return }
    var metadata: Logger.Metadata = ["entity": "\(report.entity)"]
    metadata.note(report.records, as: "records")
    metadata.note(report.created, as: "created")
    metadata.note(report.updated, as: "updated")
    metadata.note(report.refused, as: "refused")
    let text = showsValues ? report.description : report.withoutValues
    log(level: level, "Imported \(text)", metadata: metadata)
  }
}

extension Stack {
  /// Imports the records of a stream of bytes, such as the body of a response, and saves them to the store;
  /// see ``importJSON(contentsOf:as:root:options:file:line:progress:)``.
  ///
  /// The bytes go to a file first, which is gone afterwards: so memory does not grow with them, and nothing is
  /// imported of a stream that ends early.
  /// - Parameters:
  ///   - pieces: The bytes, cut anywhere.
  ///   - type: The class of the records.
  ///   - root: What leads to the records; nil where the whole text is the records.
  ///   - options: How it is run.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - progress: Called now and then, on whatever thread.
  /// - Throws: As the form with a file; what the stream throws.
  @discardableResult
  public func importJSON<Pieces: AsyncSequence, Entity: ManagedEntity>(
    from pieces: Pieces, as type: Entity.Type, root: String? = nil,
    options: ImportOptions = ImportOptions(), file: String = #fileID, line: Int = #line,
    progress: (@Sendable (ImportProgress) -> Void)? = nil
  ) async throws -> ImportReport where Pieces.Element == Data {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("cauldron-import-\(UUID().uuidString).json")
    // Nobody else reads what may be private.
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CauldronError(
        .importIO, "Cannot create \(url.path) to keep what is imported.",
        hint: "Check the rights to the folder for temporary files.")
    }
    defer { try? FileManager.default.removeItem(at: url) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      for try await piece in pieces {
        try Task.checkCancellation()
        try handle.write(contentsOf: piece)
      }
      try handle.close()
    } catch {
      try? handle.close()
      throw error
    }
    return try await importJSON(
      contentsOf: url, as: type, root: root, options: options, file: file, line: line,
      progress: progress)
  }
}
