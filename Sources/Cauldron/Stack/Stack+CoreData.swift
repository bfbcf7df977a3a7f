public import CauldronGraph
public import CauldronModel

/// The names that `NSPersistentContainer` has for what a stack does.
extension Stack {
  /// Does what ``init(storeNamed:model:configuration:)`` does. The store is open when this returns: there is
  /// nothing to load afterwards.
  ///
  /// ```swift
  /// let container = try Stack(name: "people")
  /// let people = try Person.findAll(in: container.viewContext)
  /// ```
  /// - Parameters:
  ///   - name: The store's name; without an ending it gets `.sqlite`.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store is opened, and where to log.
  /// - Throws: As ``init(storeURL:model:configuration:)``.
  public convenience init(
    name: String, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws {
    try self.init(storeNamed: name, model: model, configuration: configuration)
  }

  /// The context on the main queue, ``defaultContext``.
  public var viewContext: ManagedObjectContext { defaultContext }

  /// Runs a block in a new context on the context's queue, and returns at once. Nothing is saved unless the
  /// block does it, and a plain `save()` there is on disk in the layout `.siblings` alone; ``save(named:mergePolicy:file:line:_:completion:)`` saves to the store by itself.
  /// - Parameter block: Is given the context, in which it may save.
  public func performBackgroundTask(_ block: @escaping @Sendable (LocalContext) -> Void) {
    newBackgroundContext().perform(block)
  }

  /// Runs a block in a new context on the context's queue, and returns what the block returns. Nothing is
  /// saved unless the block does it.
  ///
  /// ```swift
  /// let count = try await stack.performBackgroundTask { context in try Person.count(in: context) }
  /// ```
  /// ``save(named:retries:mergePolicy:file:line:_:)`` saves to the store by itself.
  /// - Parameter block: Is given the context, in which it may save.
  /// - Throws: What the block throws.
  public nonisolated(nonsending) func performBackgroundTask<Value: Sendable>(
    _ block: @escaping @Sendable (LocalContext) throws -> Value
  ) async throws -> Value {
    try await newBackgroundContext().perform(block)
  }
}
