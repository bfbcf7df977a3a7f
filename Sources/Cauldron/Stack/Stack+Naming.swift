public import CauldronModel
public import Foundation

extension Stack {
  /// The name of the store that ``setupStack(storeNamed:model:configuration:)`` opens where none is
  /// given: the program's, with the ending `.sqlite`.
  public static var defaultStoreName: String { "\(programName).sqlite" }

  /// Where the store with a name lies: `$XDG_DATA_HOME/<program>/<name>.sqlite`, with
  /// `~/.local/share` where the variable is not set. Nothing is looked for, and nothing made.
  ///
  /// ```swift
  /// let url = try Stack.storeURL(named: "people")   // ~/.local/share/Contacts/people.sqlite
  /// ```
  /// - Parameters:
  ///   - name: The store's name; without an ending it gets `.sqlite`.
  ///   - program: The name of the folder; nil, the default, for the name of the program's file.
  /// - Throws: `store.cannotOpen` where a name is empty or a path.
  public static func storeURL(
    named name: String = defaultStoreName, program: String? = nil
  ) throws -> URL {
    try DataFolder().storeURL(named: name, program: program ?? programName)
  }

  /// Opens the store with a name in the program's data folder, or creates it, and puts two contexts
  /// on it; see ``storeURL(named:program:)``.
  ///
  /// The folder is made where it is missing, for its user alone.
  /// - Parameters:
  ///   - name: The store's name; without an ending it gets `.sqlite`.
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: How the store is opened, and where to log.
  /// - Throws: As ``init(storeURL:model:configuration:)``.
  public convenience init(
    storeNamed name: String, model: ManagedObjectModel? = nil,
    configuration: StackConfiguration = StackConfiguration()
  ) throws {
    let url = try Self.storeURL(named: name)
    var configuration = configuration
    if !configuration.readOnly {
      DataFolder().makeFolder(for: url)
      configuration.createDirectory = true
    }
    try self.init(storeURL: url, model: model, configuration: configuration)
  }

  /// A stack that keeps everything in memory; it goes away with its last reference.
  ///
  /// - Parameters:
  ///   - model: The model; nil takes every `@Entity` class of the program.
  ///   - configuration: Where to log, and what counts as the main queue.
  /// - Throws: `model.invalid`.
  public static func inMemory(
    model: ManagedObjectModel? = nil, configuration: StackConfiguration = StackConfiguration()
  ) throws -> Stack {
    try Stack(storeURL: nil, model: model, configuration: configuration)
  }

  private static var programName: String { ProcessInfo.processInfo.processName }
}

/// Opens the store with a name in the program's data folder, or creates it, and makes it the default
/// stack.
///
/// ```swift
/// try setupStack()                           // ~/.local/share/Contacts/Contacts.sqlite
/// try setupStack(storeNamed: "people")       // ~/.local/share/Contacts/people.sqlite
/// ```
/// - Parameters:
///   - name: The store's name; by default the program's. See ``Stack/storeURL(named:program:)``.
///   - model: The model; nil takes every `@Entity` class of the program.
///   - configuration: How the store is opened, and where to log.
/// - Returns: The stack, which ``Stack/default`` gives from now on.
/// - Throws: As ``setupStack(storeURL:model:configuration:)``.
@discardableResult
public func setupStack(
  storeNamed name: String = Stack.defaultStoreName, model: ManagedObjectModel? = nil,
  configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  try Stack.setUp { try Stack(storeNamed: name, model: model, configuration: configuration) }
}

/// Does what ``setupStack(storeNamed:model:configuration:)`` does: a store of another version of the
/// model is brought over unless the configuration forbids it. Here for code that comes from
/// MagicalRecord.
@discardableResult
public func setupAutoMigratingStack(
  storeNamed name: String = Stack.defaultStoreName, model: ManagedObjectModel? = nil,
  configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  try setupStack(storeNamed: name, model: model, configuration: configuration)
}

/// Makes a stack that keeps everything in memory the default stack.
///
/// ```swift
/// try setupStackInMemory()
/// ```
/// - Returns: The stack, which ``Stack/default`` gives from now on.
/// - Throws: `stack.alreadySetUp` at a second call; `model.invalid`.
@discardableResult
public func setupStackInMemory(
  model: ManagedObjectModel? = nil, configuration: StackConfiguration = StackConfiguration()
) throws -> Stack {
  try Stack.setUp { try Stack.inMemory(model: model, configuration: configuration) }
}

extension CauldronError {
  /// A stack in memory has no place for a copy.
  static var seedInMemory: CauldronError {
    CauldronError(
      .storeUnsupported, "Cannot begin a stack in memory as the copy of a store.",
      hint: "Give the stack a file, or leave seedURL nil.")
  }
}
