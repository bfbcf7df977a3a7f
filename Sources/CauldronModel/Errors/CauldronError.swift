public import Foundation

/// What the world did wrong, in one line that names the thing and the remedy.
///
/// ```swift
/// do { try setupStack(storeURL: url) }
/// catch let error as CauldronError where error.code == .storeIncompatibleModel { … }
/// ```
public struct CauldronError: Error, Sendable {
  /// What went wrong; stable across releases.
  public let code: Code
  /// The sentence that names the attempted action, the fault and the thing at fault.
  public let message: String
  /// What to do about it, in one sentence; empty where there is nothing to say.
  public package(set) var hint: String
  /// The entity concerned.
  public var entity: String?
  /// The property concerned.
  public var property: String?
  /// The objects concerned.
  public var objectIDs: [ManagedObjectID] = []
  /// The character of a format string where it cannot be read on, from 1; one more than there are at its
  /// end.
  public var position: Int?
  /// The file concerned.
  public var path: String?
  /// SQLite's extended result code.
  public var sqliteCode: Int32?
  /// The name of the context whose level of the chain failed.
  public var contextName: String?
  /// The save whose changes met a conflict.
  public var save: SaveParty?
  /// The save that made what the conflict is with; nil where that is not known, as with another
  /// process.
  public var otherSave: SaveParty?
  /// The versions that conflict, where the save met a conflict.
  public var conflicts: [MergeConflict] = []
  /// The single problems, where there are several; of very many the first hundred.
  public var details: [CauldronError] = []
  /// What the program's own code has thrown, where that is why.
  public var underlying: (any Error)?
  /// Whether nothing is wrong with the changes themselves, as far as is known: they touch what a
  /// change touched that has failed.
  package var isDependent = false

  /// So many scalars a message has, and a hint, whatever the names and values in it are.
  package static let longest = 300

  /// Makes an error; the message is a full sentence. The middle of a very long one is left out.
  public init(_ code: Code, _ message: String, hint: String = "") {
    self.code = code
    self.message = message.excerpt(Self.longest)
    self.hint = hint.excerpt(Self.longest)
  }

  /// An error whose message is a list after its start: the first twenty entries, each of which is
  /// bounded by itself, and the number of the rest.
  package init(
    _ code: Code, _ start: String, list: [String], separator: String = ", ", hint: String = ""
  ) {
    let shown = list.prefix(20).map { Self.entry($0).excerpt(Self.longest) }
      .joined(separator: separator)
    let more = list.count > 20 ? "\(separator)… and \(list.count - 20) more" : ""
    self.code = code
    let message = "\(start.excerpt(Self.longest)) \(shown)\(more)"
    self.message = message.hasSuffix("?") ? message : message + "."
    self.hint = hint.excerpt(Self.longest)
  }

  /// An entry of a list, without the end of its sentence.
  private static func entry(_ text: String) -> String {
    let end = text.lastIndex { $0 != " " && $0 != "." }
    return end.map { String(text[...$0]) } ?? text
  }
}

extension CauldronError: CustomStringConvertible, LocalizedError {
  /// Message and hint on one line.
  public var description: String {
    let text = hint.isEmpty ? message : "\(message) \(hint)"
    // What SQLite says may have a damaged file's bytes in it.
    return text.inOneLine
  }

  /// Message and hint on one line.
  public var errorDescription: String? { description }
}

extension CauldronError.Code: CustomStringConvertible {
  /// The name that the documentation has: `store.incompatibleModel`.
  public var description: String { rawValue }
}

extension CauldronError {
  package static func modelInvalid(_ what: String) -> CauldronError {
    CauldronError(.modelInvalid, "Cannot build the model: \(what).")
  }

  /// Everything that was found wrong with a model; nil where there is nothing.
  package static func modelInvalid(_ findings: [String]) -> CauldronError? {
    guard findings.count > 1 else { return findings.first.map(modelInvalid) }
    return CauldronError(
      .modelInvalid, "Cannot build the model: \(findings.count) problems:", list: findings,
      separator: "; "
    ).with { $0.details = findings.map(modelInvalid) }
  }

  /// The same error with more known about it.
  package func with(_ change: (inout CauldronError) -> Void) -> CauldronError {
    var copy = self
    change(&copy)
    return copy
  }
}

extension CauldronError {
  /// The stable names of everything that can go wrong.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file cannot be opened or created where it is.
    case storeCannotOpen = "store.cannotOpen"
    /// The model has changed, and the store would lose values that nothing in the code gives up.
    case migrationWouldDiscard = "migration.wouldDiscard"
    /// The model has changed in a way that no rule tells how to bring the data along.
    case migrationCannotInfer = "migration.cannotInfer"
    /// What wrote the store cannot be told: it has no copy of its model.
    case migrationNoSource = "migration.noSource"
    /// A required property has no value in the store, and no default.
    case migrationMissingValue = "migration.missingValue"
    /// Values of the store are the same that must be unique.
    case migrationNotUnique = "migration.notUnique"
    /// Values of the store are none of their property's new type.
    case migrationOutOfRange = "migration.outOfRange"
    /// The store would have to be migrated, and is only read.
    case migrationReadOnly = "migration.readOnly"
    /// A step of a plan names what the store or the model has not.
    case migrationNoPath = "migration.noPath"
    /// A step of a plan has thrown an error.
    case migrationStepFailed = "migration.stepFailed"
    /// A plan contradicts itself, whatever the store is.
    case migrationInvalidPlan = "migration.invalidPlan"
    /// The migration was cancelled.
    case migrationCancelled = "migration.cancelled"
    /// A migration would need more room on the disk than there is.
    case migrationNoSpace = "migration.noSpace"
    /// The file is not a SQLite database.
    case storeNotADatabase = "store.notADatabase"
    /// The file is a SQLite database without a store's metadata.
    case storeForeignDatabase = "store.foreignDatabase"
    /// The database is damaged.
    case storeCorrupt = "store.corrupt"
    /// A cell holds a value of another type than its attribute.
    case storeBadValue = "store.badValue"
    /// A row refers to a row that does not exist.
    case storeDanglingReference = "store.danglingReference"
    /// The store was written with another model.
    case storeIncompatibleModel = "store.incompatibleModel"
    /// The store or its model has something that is not supported, and that saving would damage.
    case storeUnsupported = "store.unsupported"
    /// The store's file was deleted, moved or replaced while it was open.
    case storeFileGone = "store.fileGone"
    /// The disk is full.
    case storeDiskFull = "store.diskFull"
    /// The store can only be read.
    case storeReadOnly = "store.readOnly"
    /// A block of `Stack.read` has held its view of the store longer than it may.
    case storeReadTooLong = "store.readTooLong"
    /// The store is locked by another connection.
    case storeBusy = "store.busy"
    /// The disk failed.
    case storeIO = "store.io"
    /// There is no copy of the store that could be restored.
    case storeNoBackup = "store.noBackup"
    /// A commit failed in a way that leaves open whether it is durable.
    case storeCommitOutcomeUnknown = "store.commitOutcomeUnknown"
    /// The stack was closed.
    case stackClosed = "stack.closed"
    /// A context that is confined to a thread cannot be awaited in.
    case contextConfined = "context.confined"
    /// The store is open in this process already.
    case storeAlreadyOpen = "store.alreadyOpen"
    /// A stack was set up already.
    case stackAlreadySetUp = "stack.alreadySetUp"
    /// No stack was set up.
    case stackNotSetUp = "stack.notSetUp"
    /// Another loop cannot drain the main queue.
    case mainQueueCannotAttach = "mainQueue.cannotAttach"
    /// Undo is asked for while a group of changes is open.
    case undoGroupOpen = "undo.groupOpen"
    /// An undo would take objects along that others have added since.
    case undoBlocked = "undo.blocked"
    /// A text is no JSON, or ends too early.
    case importSyntax = "import.syntax"
    /// The root path leads to nothing that could be imported.
    case importRoot = "import.root"
    /// An object of a text has a name twice.
    case importDuplicateKey = "import.duplicateKey"
    /// A text is nested too deeply.
    case importTooDeep = "import.tooDeep"
    /// A file cannot be read, or has become shorter while it was.
    case importIO = "import.io"
    /// What says how an entity is imported is wrong.
    case importPlan = "import.plan"
    /// A value cannot be what its property keeps.
    case importValue = "import.value"
    /// A record has no key, so that nobody knows which object it is.
    case importMissingKey = "import.missingKey"
    /// Two objects have the key of a record, or an object of another entity has it.
    case importAmbiguous = "import.ambiguous"
    /// A key leads to an object that neither the store nor the import has.
    case importUnknown = "import.unknown"
    /// A record was refused, and the import was to stop at the first.
    case importRefused = "import.refused"
    /// A value cannot come back from what an export would write.
    case exportLossy = "export.lossy"
    /// The object was deleted, or never existed.
    case objectNotFound = "object.notFound"
    /// The object changed since it was read.
    case saveConflict = "save.conflict"
    /// The changes need an object that another context has created, and that is not to be seen yet from
    /// where they are saved.
    case saveDependency = "save.dependency"
    /// A unique value is taken.
    case saveConstraint = "save.constraint"
    /// An object has no key of the store's yet; nothing was written.
    case saveProvisionalKey = "save.provisionalKey"
    /// A rollback or reset of an ancestor discarded the changes before they were written.
    case saveDiscarded = "save.discarded"
    /// A required value is missing.
    case validationMissing = "validation.missing"
    /// A number is greater than its rule allows.
    case validationTooLarge = "validation.tooLarge"
    /// A number is smaller than its rule allows.
    case validationTooSmall = "validation.tooSmall"
    /// A date is later than its rule allows.
    case validationTooLate = "validation.tooLate"
    /// A date is earlier than its rule allows.
    case validationTooSoon = "validation.tooSoon"
    /// A text is longer than its rule allows.
    case validationTooLong = "validation.tooLong"
    /// A text is shorter than its rule allows.
    case validationTooShort = "validation.tooShort"
    /// A text does not match its pattern.
    case validationNoMatch = "validation.noMatch"
    /// A relationship leads to fewer objects than it must.
    case validationTooFew = "validation.tooFew"
    /// A relationship leads to more objects than it may.
    case validationTooMany = "validation.tooMany"
    /// A check of the program's own has refused a value or an object.
    case validationFailed = "validation.failed"
    /// A relationship whose delete rule is to deny still leads to an object; Core Data's 1600.
    case validationDenied = "validation.denied"
    /// A value cannot be encoded for the store.
    case validationNotEncodable = "validation.notEncodable"
    /// Several values are wrong; see ``CauldronError/details``.
    case validationMultiple = "validation.multiple"
    /// The model contradicts itself.
    case modelInvalid = "model.invalid"
    /// The model has no entity of that name.
    case modelUnknownEntity = "model.unknownEntity"
    /// The entity has no property of that name.
    case queryUnknownKey = "query.unknownKey"
    /// A property is compared with a value of another type.
    case queryTypeMismatch = "query.typeMismatch"
    /// The request asks for what stores cannot do.
    case queryUnsupported = "query.unsupported"
    /// A condition is nested too deeply.
    case queryTooDeep = "query.tooDeep"
    /// A sum is greater than its type holds.
    case queryOverflow = "query.overflow"
  }
}

extension CauldronError.Code {
  /// The number that Core Data has for the same mistake, in `NSCocoaErrorDomain`; nil where it has
  /// none, or tells it by other means.
  public var coreDataCode: Int? {
    switch self {
    case .validationFailed, .validationNotEncodable: 1550
    case .validationMultiple: 1560
    case .validationMissing: 1570
    case .validationTooFew: 1580
    case .validationTooMany: 1590
    case .validationDenied: 1600
    case .validationTooLarge: 1610
    case .validationTooSmall: 1620
    case .validationTooLate: 1630
    case .validationTooSoon: 1640
    case .validationTooLong: 1660
    case .validationTooShort: 1670
    case .validationNoMatch: 1680
    case .objectNotFound: 133000
    case .saveConflict, .saveDependency: 133020
    case .saveConstraint: 133021
    case .storeIncompatibleModel: 134100
    case .migrationMissingValue, .migrationOutOfRange, .migrationStepFailed,
      .migrationWouldDiscard:
      134110
    case .migrationNotUnique: 134111
    case .migrationCancelled: 134120
    case .migrationNoSource: 134130
    case .migrationNoPath: 134140
    case .migrationCannotInfer: 134190
    default: nil
    }
  }
}

/// Two changes of one object that could not be brought together.
///
/// ```swift
/// catch let error as CauldronError where error.code == .saveConflict {
///   for conflict in error.conflicts {
///     for property in conflict.properties { print(property.name, property.theirs, property.mine) }
///   }
/// }
/// ```
public struct MergeConflict: Sendable, Hashable {
  /// A property that both sides have changed.
  public struct Property: Sendable, Hashable {
    /// The property's name.
    public let name: String
    /// What the object showed when it was edited first.
    public let was: AttributeScalar
    /// What the other side has; nil where it has deleted the object.
    public let theirs: AttributeScalar?
    /// What was to be saved; nil where the object was deleted here.
    public let mine: AttributeScalar?
  }

  /// The object.
  public let objectID: ManagedObjectID
  /// The object's entity.
  public let entityName: String
  /// The properties in conflict; for a deletion those that the other side has changed, and none
  /// where both have deleted the object.
  public let properties: [Property]
  /// All values that the saving context showed before its edits.
  public let objectSnapshot: [String: AttributeScalar]
  /// All values of the other side; nil if the object was deleted there.
  public let persistedSnapshot: [String: AttributeScalar]?
  /// The version that the saving context had read.
  public let oldVersion: Int
  /// The version that it met; 0 for a deletion.
  public let newVersion: Int
}

/// A save, as errors and logs name it.
public struct SaveParty: Sendable, Hashable {
  /// The save's number, which its log lines carry; 0 for changes that nobody had saved.
  public let saveID: UInt64
  /// The name of the context that made the changes.
  public let contextName: String
  /// What the save was named, or else the line of the program that asked for it.
  public let name: String

  package init(saveID: UInt64, contextName: String, name: String) {
    self.saveID = saveID
    self.contextName = contextName
    self.name = name
  }
}
