import Cauldron
import Dispatch
import Foundation
import Logging
import TestSupport

/// A stack of a test's own, with a "main" queue of its own.
struct Kit: Sendable {
  enum Place: CaseIterable, Sendable { case memory, file }

  let stack: Stack
  /// What counts as the main queue.
  let main: DispatchQueue
  private let directory: TemporaryDirectory?
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(_ place: Place = .memory, _ adapt: (inout StackConfiguration) -> Void = { _ in }) throws {
    directory = place == .file ? try TemporaryDirectory() : nil
    main = DispatchQueue(label: "kit.main")
    main.setSpecific(key: Self.key, value: ObjectIdentifier(main))
    var configuration = StackConfiguration()
    configuration.mainQueue = main
    configuration.synchronous = .normal
    configuration.logger = Logger(label: "kit") { _ in SwiftLogNoOpLogHandler() }
    adapt(&configuration)
    stack = try Stack(
      storeURL: directory?.file("store.sqlite"), model: try ManagedObjectModel(Account.self),
      configuration: configuration)
  }

  var mainContext: ManagedObjectContext { stack.defaultContext }
  var root: ManagedObjectContext { stack.rootSavingContext }

  /// Whether the caller runs on the test's main queue.
  var isOnMain: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(main) }

  /// A private child of the main context, or of another one.
  func child(
    _ name: String = "child", of parent: ManagedObjectContext? = nil
  ) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: parent ?? mainContext, name: name)
  }

  /// A private context on the coordinator; a new one sees what is stored, and nothing else.
  func sibling(_ name: String = "sibling") -> ManagedObjectContext {
    ManagedObjectContext(.private, coordinator: stack.coordinator, name: name)
  }

  /// The owners in the store, in alphabetical order.
  func stored() throws -> [String] {
    try sibling("reader").performAndWait { try Account.owners(in: $0) }
  }

  /// The owners that are saved into the main context, whose queue is not needed.
  func seenByMain() throws -> [String] {
    try child("probe").performAndWait { try Account.owners(in: $0) }
  }

  /// Creates accounts and brings them to the store.
  @discardableResult
  func store(_ owners: String..., balance: Int = 0) throws -> [ManagedObjectID] {
    let context = child("first", of: root)
    let ids = context.performAndWait { local in
      owners.map { Account.named($0, balance: balance, in: local.context).objectID }
    }
    try context.saveAndWait(toPersistentStore: true)
    return ids
  }

  /// Saves the main context and the root, on the main queue.
  func saveMain() throws {
    _ = try onMain { try $0.saveAndWait(toPersistentStore: true) }
  }

  /// The owners that a new stack finds in the file, once this one is closed.
  func reopened() throws -> [String] {
    var configuration = StackConfiguration()
    configuration.synchronous = .normal
    let again = try Stack(
      storeURL: stack.coordinator.storeURL, model: try ManagedObjectModel(Account.self),
      configuration: configuration)
    let reader = ManagedObjectContext(.private, coordinator: again.coordinator)
    let owners = try reader.performAndWait { try Account.owners(in: $0) }
    try again.close()
    return withExtendedLifetime(directory) { owners }
  }

  /// Runs a block on the main queue and waits for it.
  func onMain<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    try main.sync { try body(mainContext) }
  }
}

extension ManagedObjectContext {
  /// The account with an ID, in this context.
  func account(_ id: ManagedObjectID) throws -> Account {
    guard let account = try existingObject(with: id) as? Account else { throw NoAccount() }
    return account
  }

  /// Creates an account in an event of its own.
  func add(_ owner: String) {
    performAndWait { _ = Account.named(owner, in: $0.context) }
  }
}

struct NoAccount: Error {}
