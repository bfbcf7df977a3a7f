public import CauldronGraph
public import CauldronModel
import CauldronSQLite
import CauldronSave
import CauldronStore
public import Foundation

/// One configured set: a model, a store, a root saving context and a main context.
///
/// The root saving context is private and the only one that writes; the default context is its
/// child, on the main queue. A program may have several stacks; ``Stack/default`` is the one that
/// the short calls use.
public final class Stack: Sendable {
  /// The store's coordinator.
  public let coordinator: PersistentStoreCoordinator
  /// How the contexts hang together.
  public let layout: StackLayout
  /// The context on the coordinator, through which saves reach the file: private in the layout
  /// `.writerRoot`, else the default context.
  public let rootSavingContext: ManagedObjectContext
  /// The context on the main queue. It takes in what others save into its parent or the store.
  public let defaultContext: ManagedObjectContext

  let readLimits: ReadLimits

  /// Opens a store, or creates it, and puts the two contexts on it.
  ///
  /// - Parameters:
  ///   - storeURL: The store's file; nil keeps everything in memory.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store is opened, and where to log.
  /// - Throws: ``CauldronError``: `store.…` if the file cannot be used, which is then untouched;
  ///   `model.invalid`.
  /// - Complexity: A handful of statements, whatever the size of the file.
  public convenience init(
    storeURL: URL?, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws {
    try configuration.migration.plan.validate()
    let model = try model ?? ManagedObjectModel.discovered()
    try model.writeIfAsked(logger: configuration.logger)
    let number = StoreNumbers.next()
    let store = try Self.openStore(
      at: storeURL, model: model, number: number, options: configuration.storeOptions)
    self.init(model, store, number, configuration)
  }

  /// Puts the two contexts on a store that is open.
  init(
    _ model: ManagedObjectModel, _ store: any PersistentStore, _ number: Int32,
    _ configuration: StackConfiguration
  ) {
    coordinator = PersistentStoreCoordinator(
      model: model, store: store, storeNumber: number, logger: configuration.logger.leveled,
      mainQueue: configuration.main, showsValues: configuration.showsValues,
      slowFetch: configuration.slowFetch)
    readLimits = ReadLimits(warning: configuration.readWarning, most: configuration.readLimit)
    layout = configuration.layout
    if layout == .writerRoot {
      rootSavingContext = ManagedObjectContext(
        .private, coordinator: coordinator, name: "Root Saving Context")
      defaultContext = ManagedObjectContext(
        .main, parent: rootSavingContext, name: "Default Context")
    } else {
      defaultContext = ManagedObjectContext(
        .main, coordinator: coordinator, name: "Default Context")
      rootSavingContext = defaultContext
    }
    defaultContext.automaticallyMergesChangesFromParent = true
    reportUnknownLevel()
  }

  deinit { coordinator.endUnusedContexts() }

  /// The model that the store is opened with.
  public var model: ManagedObjectModel { coordinator.managedObjectModel }

  /// Waits for the saves under way, level by level, writes the other changes that were saved into a
  /// context, gives unused keys back and closes the store; later use of its contexts throws
  /// `stack.closed`.
  ///
  /// Saves that were asked for before are finished, whatever level they have reached, and their
  /// outcome is the truth; one that is asked for later ends with `stack.closed`. A save that has to
  /// pass the main context needs the main queue: on it, the save passes here; elsewhere the call
  /// waits for it. Where a queue stands still for five seconds, the saves that need it are given up
  /// with `stack.closed`; so is a save whose block waits that long for something else.
  ///
  /// A lock that another process has on the store is waited for once, for `busyTimeout` at most, and only
  /// where something has to be written.
  ///
  /// Then all is written that a context has accepted from its children, at whatever level it waits:
  /// a plain `save()` of the main context, say, or of a child. A context's own unsaved changes are
  /// never written, not even those of the context on the store, and neither are changes that build
  /// on them, such as a reference to an unsaved object. A warning in the log counts the lost
  /// changes, by context, and says why where their last save has failed; so it does where the store
  /// refuses saved changes, which does not hinder the closing. In memory nothing would be left, and
  /// nothing is written.
  /// - Throws: What closing the file meets.
  public func close() throws { try close(patience: 5) }

  /// Closes as `close()` does; a queue stands still after `patience` seconds.
  package func close(patience: Double) throws {
    coordinator.finishSaves(patience: patience)
    // A main context has nothing under way that is not one of the saves.
    if rootSavingContext.concurrencyType != .main { rootSavingContext.drain() }
    ClosingSave(on: coordinator).run()
    try coordinator.close()
  }

  static func openStore(
    at url: URL?, model: ManagedObjectModel, number: Int32, options: SQLiteStoreOptions
  ) throws -> any PersistentStore {
    guard let url else {
      if options.seed != nil { throw CauldronError.seedInMemory }
      return MemoryStore(model: model, storeNumber: number)
    }
    return try SQLiteStore.open(url: url, model: model, storeNumber: number, options: options)
  }
}

extension Stack {
  /// Whether this thread is setting up the default stack: then code of the program that runs is a step of
  /// a migration, and waiting for the stack would have no end.
  @TaskLocal static var isSettingUp = false

  /// Sets the default stack up.
  /// - Throws: `stack.alreadySetUp` where there is one, or a step of its migration asks.
  static func setUp(_ make: () throws -> Stack) throws -> Stack {
    try requireNotSettingUp()
    return try $isSettingUp.withValue(true) { try setUpAlone(make) }
  }

  static func requireNotSettingUp() throws {
    guard isSettingUp else { return }
    throw CauldronError(
      .stackAlreadySetUp, "The stack is being set up: a step of its migration runs.",
      hint: "A step works with its context; further stacks are made with Stack(storeURL:).")
  }
}

extension Stack {
  /// A private context for work in the background, made as the stack's layout asks: a sibling of
  /// the default context that merges changes from its parent, or a child of the default context.
  public func newBackgroundContext(name: String = "Background Context") -> ManagedObjectContext {
    guard layout == .siblings else {
      return ManagedObjectContext(.private, parent: defaultContext, name: name)
    }
    let context = ManagedObjectContext(.private, coordinator: coordinator, name: name)
    context.automaticallyMergesChangesFromParent = true
    return context
  }

  /// Runs a block in a private context of its own and saves what it did to the store.
  ///
  /// ```swift
  /// try await Stack.default.save { context in Person.create(in: context).name = "jill" }
  /// try await Stack.default.save(retries: 3) { context in
  ///   try Account.find(id, in: context)?.balance += 1000
  /// }
  /// ```
  /// The context is a child of the root saving context, so the main queue is not needed; the
  /// default context takes the changes in, on the main actor before the call returns. If the
  /// block throws, nothing is saved; `save()` in it checks what was done so far, and all is saved
  /// together when the block has ended.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - retries: How often the block is run again, each time in a fresh context that shows the
  ///     newest values, where the save ends with `save.conflict` or
  ///     `save.dependency`; 0 by default. So the block must
  ///     read what it computes with, and do nothing else than change objects.
  ///   - mergePolicy: What decides about conflicts; with `.error`, the default, the save ends with
  ///     one.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - block: Makes and changes objects of the context that it is given.
  /// - Returns: What the block returns, once it is on disk.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)->()``.
  @discardableResult
  public nonisolated(nonsending) func save<Value: Sendable>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try await blockSave(named: name, mergePolicy: mergePolicy, file: file, line: line).run(
      block, retries)
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and calls back
  /// on the main queue, when the default context has taken the changes in. Where the block throws, nothing is
  /// saved, and the completion gets the error.
  /// - Parameters:
  ///   - name: What logs and errors call the save; by default the line that asked for it.
  ///   - mergePolicy: What decides about conflicts; with `.error`, the default, the save ends with one.
  ///   - file: Where the call stands, for the log.
  ///   - line: Its line.
  ///   - block: Makes and changes objects of the context that it is given.
  ///   - completion: Called on the main queue, once.
  public func save(
    named name: String? = nil, mergePolicy: MergePolicy? = nil, file: String = #fileID,
    line: Int = #line, _ block: @escaping @Sendable (LocalContext) throws -> Void,
    completion: @escaping @Sendable (_ didSave: Bool, _ error: (any Error)?) -> Void
  ) {
    blockSave(named: name, mergePolicy: mergePolicy, file: file, line: line).start(
      block, completion)
  }

  /// Runs a block in a private context of its own, saves what it did to the store, and returns.
  ///
  /// On the main queue the default context has taken the changes in at return.
  /// - Parameters: As in the form with `await`.
  /// - Throws: What the block throws, or as ``ManagedObjectContext/save(mergePolicy:file:line:)->()``.
  @available(*, noasync, message: "use 'await save' instead")
  @discardableResult
  public func saveAndWait<Value>(
    named name: String? = nil, retries: Int = 0, mergePolicy: MergePolicy? = nil,
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    try blockSave(named: name, mergePolicy: mergePolicy, file: file, line: line).runAndWait(
      block, retries)
  }

  /// A save beside the default context, which shows the result at return.
  private func blockSave(
    named name: String?, mergePolicy: MergePolicy?, file: String, line: Int
  ) -> BlockSave {
    BlockSave(below: rootSavingContext, shownIn: defaultContext, name, mergePolicy, file, line)
  }
}

extension Stack {
  /// Runs a block that sees the store as it is at one moment, whatever is committed meanwhile.
  ///
  /// ```swift
  /// let report = try await stack.read { context in
  ///   (try Order.count(in: context), try Order.where(\.isOpen).sum(\.price, in: context))
  /// }
  /// ```
  /// The block gets a context of its own, which sees committed data and nothing pending; faults and
  /// relationships, too, are of that moment. It cannot be saved: `store.readOnly`. As long as the
  /// block runs, the log beside the store cannot be emptied and grows with each save; so the log
  /// warns after `readWarning` seconds, and after `readLimit` the view is given up, if the
  /// configuration says so: reads then throw `store.readTooLong`.
  /// - Returns: What the block returns; objects cannot be returned, IDs can.
  /// - Throws: What the block throws; `store.…`; `CancellationError` where the task was cancelled, which
  ///   ends the statement that runs.
  public func read<Value: Sendable>(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    let (context, finish) = try coordinator.newReadContext(readLimits, at: "\(file):\(line)")
    defer { finish() }
    return try await context.performCancellably(at: "\(file):\(line)", block)
  }

  /// Runs a block that sees the store as it is at one moment, and returns; see ``read(file:line:_:)``.
  @available(*, noasync, message: "use 'await read' instead")
  public func readAndWait<Value>(
    file: String = #fileID, line: Int = #line, _ block: (LocalContext) throws -> Value
  ) throws -> Value {
    let (context, finish) = try coordinator.newReadContext(readLimits, at: "\(file):\(line)")
    defer { finish() }
    return try context.performAndWait(block)
  }
}

extension Stack: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Where the store is and the model's entities; below it the contexts, each under the one that it
  /// saves into, with the objects whose changes wait there; and the saves under way.
  ///
  /// ```swift
  /// print(Stack.default)
  /// // <Stack "/data/office.sqlite" (writerRoot, model "Model": Company, Person)>
  /// // └ Root Saving Context: private queue
  /// //   └ Default Context: main queue, 2 unsaved
  /// //     └ Import: private queue, 500 unsaved
  /// // save 7 (Main.swift:12) in Default Context, 2/3
  /// ```
  /// Any thread may print a stack; what an event that runs just now has changed is not counted.
  public var description: String {
    ([line] + coordinator.drawing).joined(separator: "\n")
  }

  /// The first line.
  private var line: String {
    let place = coordinator.storeURL.map { "\"\($0.path)\"" } ?? "in memory"
    let state = coordinator.isClosed ? ", closed" : ""
    return "<Stack \(place) (\(layout), model \"\(model.name)\": \(entityNames)\(state))>"
  }

  /// The same.
  public var debugDescription: String { description }

  /// The store's file, the layout and the contexts.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "store": coordinator.storeURL?.path ?? "in memory", "layout": layout,
        "rootSavingContext": rootSavingContext, "defaultContext": defaultContext,
        "contexts": coordinator.drawing,
      ], displayStyle: .class)
  }

  private var entityNames: String {
    let names = model.entityLayouts.map(\.name)
    let rest = names.count > 8 ? " and \(names.count - 8) more" : ""
    return names.prefix(8).joined(separator: ", ") + rest
  }
}
