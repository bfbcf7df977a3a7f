import Cauldron
import CauldronModel
import Dispatch
import Foundation
import Logging
import TestSupport
import Testing

/// Where a test's store lies.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, file

  /// Under a sanitizer the file alone.
  static var allCases: [StoreKind] { Sanitizer.cases([.memory, .file], only: .file) }

  var testDescription: String { rawValue }
}

/// A stack of a test's own, with a "main" queue of its own and a log that can be read.
struct Bench: Sendable {
  let stack: Stack
  let main: DispatchQueue
  let log: LogCapture
  private let observers = Locked<[ManagedObjectContext]>([])
  private let directory: TemporaryDirectory?
  private let model: ManagedObjectModel

  init(
    _ kind: StoreKind = .memory, model: ManagedObjectModel? = nil,
    _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws {
    let directory = kind == .file ? try TemporaryDirectory() : nil
    try self.init(directory, model ?? Office.model(), adapt)
  }

  private init(
    _ directory: TemporaryDirectory?, _ model: ManagedObjectModel,
    _ adapt: (inout StackConfiguration) -> Void
  ) throws {
    self.directory = directory
    self.model = model
    log = LogCapture()
    main = DispatchQueue(label: "test.main")
    var configuration = StackConfiguration()
    configuration.mainQueue = main
    configuration.synchronous = .normal
    configuration.logger = log.logger
    // What a busy machine takes long for is not to be told of.
    configuration.slowFetch = nil
    adapt(&configuration)
    stack = try Stack(
      storeURL: directory?.file("store.sqlite"), model: model, configuration: configuration)
  }

  var root: ManagedObjectContext { stack.rootSavingContext }

  /// The context on the main queue; use it in `onMain`.
  var mainContext: ManagedObjectContext { stack.defaultContext }

  /// A private child of the root, or of another context.
  func child(
    _ name: String = "Child", of parent: ManagedObjectContext? = nil
  ) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: parent ?? root, name: name)
  }

  /// A new context that sees what is committed, and nothing else; it lives as long as the bench.
  func committed() -> ManagedObjectContext {
    let context = ManagedObjectContext(
      .private, coordinator: stack.coordinator, name: "Observer")
    observers.withLock { $0.append(context) }
    return context
  }

  /// Runs a block on the main queue with the main context.
  func onMain<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    try main.sync { try body(mainContext) }
  }

  /// Whether a context that a save has passed through has unsaved changes.
  func isDirty(_ context: ManagedObjectContext) -> Bool {
    context.performAndWait { $0.hasChanges }
  }

  /// Lets everything run that waits in the main queue.
  func settleMain() { for _ in 0..<4 { main.sync {} } }

  /// Closes the stack and opens the same file in another one, with the same model unless told.
  func reopened(
    with model: ManagedObjectModel? = nil, _ adapt: (inout StackConfiguration) -> Void = { _ in }
  ) throws -> Bench {
    try stack.close()
    return try Bench(directory, model ?? self.model, adapt)
  }
}
