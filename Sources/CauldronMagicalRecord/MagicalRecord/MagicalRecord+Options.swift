import Cauldron

extension MagicalRecord {
  private static let deletesStore = Locked(false)
  private static let batchSize = Locked(20)
  private static let chosenModel = Locked<ManagedObjectModel?>(nil)

  /// How the set-up calls open a store.
  static var configuration: StackConfiguration {
    var configuration = StackConfiguration()
    if deletesStore.withLock({ $0 }) { configuration.migration = .backUpAndRecreate }
    return configuration
  }

  /// The model that the set-up calls open a store with; nil for all `@Entity` classes of the program.
  static var model: ManagedObjectModel? {
    get { chosenModel.withLock { $0 } }
    set { chosenModel.withLock { $0 = newValue } }
  }

  /// The size that requests in an order get.
  static var defaultBatchSize: Int {
    get { batchSize.withLock { $0 } }
    set { batchSize.withLock { $0 = newValue } }
  }

  /// Whether a store that cannot be brought over gives way to a new one; false by default.
  @available(*, deprecated, message: "see StackConfiguration.migration")
  public static func shouldDeleteStoreOnModelMismatch() -> Bool { deletesStore.withLock { $0 } }

  /// Has the next set-up make a new store where one cannot be brought over; the old one is moved aside,
  /// not deleted.
  @available(*, deprecated, message: "set 'configuration.migration = .backUpAndRecreate'")
  public static func setShouldDeleteStoreOnModelMismatch(_ deletes: Bool) {
    deletesStore.withLock { $0 = deletes }
  }

  /// True: without a model the stack takes all `@Entity` classes of the program.
  @available(*, deprecated, message: "give the stack a model to have another: setupStack(model:)")
  public static func shouldAutoCreateManagedObjectModel() -> Bool { true }

  /// Does nothing: without a model the stack takes all `@Entity` classes of the program.
  @available(*, deprecated, message: "give the stack a model to have another: setupStack(model:)")
  public static func setShouldAutoCreateManagedObjectModel(_ creates: Bool) {}

  /// False: no stack is made unasked.
  @available(*, deprecated, message: "call setupStack() first")
  public static func shouldAutoCreateDefaultPersistentStoreCoordinator() -> Bool { false }

  /// Does nothing: no stack is made unasked.
  @available(*, deprecated, message: "call setupStack() first")
  public static func setShouldAutoCreateDefaultPersistentStoreCoordinator(_ creates: Bool) {}
}
