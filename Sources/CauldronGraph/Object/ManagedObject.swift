import CCauldron
public import CauldronModel

/// A live object: a row of the store as one context sees it, with the edits made there.
///
/// Declare entities as subclasses with the `@Entity` macro; an entity without a class of its own
/// uses `ManagedObject` itself with ``value(forKey:)`` and ``setValue(_:forKey:)``.
///
/// Objects belong to the queue of their context and are not Sendable; carry ``objectID`` to another
/// context instead. Reading a property never throws and never traps for what the world did: a row
/// that cannot be read shows zero values, see ``load()``.
nonisolated open class ManagedObject {
  /// The current values: the shared snapshot, or a private copy once edited. Its block, which the
  /// address leads to, is retained by hand, too.
  @usableFromInline @exclusivity(unchecked) package final var row: UnsafeMutablePointer<Int64>
  /// Retained by hand, so that an access does not retain and release the core.
  @usableFromInline package final let core: Unmanaged<ContextCore>
  /// The key that the object is registered under: a provisional one until the context has followed
  /// its exchange.
  @exclusivity(unchecked) package final var key: Int64
  @exclusivity(unchecked) package internal(set) final var extras: ObjectExtras?
  /// `Z_ENT`; four bytes for what a reference would take eight, of which there are none to spare:
  /// with them an object would need the allocator's next larger size.
  package final let entityNumber: Int32
  @usableFromInline @exclusivity(unchecked) package final var state: ObjectState

  /// Serves the context; create objects with ``init(context:)`` or `create(in:)`.
  public required init(_seed seed: _ObjectSeed) {
    row = seed.row.words
    core = seed.owner.retained()
    key = seed.key
    entityNumber = seed.entityNumber
    state = seed.state
  }

  /// Creates an object in a context, with the defaults of its entity; the same as `create(in:)`.
  ///
  /// Initializers of a class's own call it, and are `convenience`:
  /// ```swift
  /// convenience init(name: String, context: ManagedObjectContext) {
  ///   self.init(context: context)
  ///   self.name = name
  /// }
  /// ```
  /// The class must belong to the stack's model, and its entity must not be abstract; otherwise the
  /// call traps.
  public required convenience init(context: ManagedObjectContext) {
    context.prove()
    let core = context.core
    let layout = core.registry.layout(of: Self.self)
    self.init(_seed: core.editor.newSeed(layout))
    core.editor.welcome(self, of: layout)
  }

  /// An object belongs to a context from its beginning.
  @available(
    *, unavailable,
    message: "an object is made in a context: use 'init(context:)', or 'create()' on the main actor"
  )
  public convenience init() { trap("An object is made in a context: use init(context:).") }

  deinit {
    Unmanaged.passUnretained(RowPointer(row).block).release()
    core.release()
  }

  /// Describes the class's entity; the `@Entity` macro overrides it.
  open class func _describeEntity() -> EntityDescription {
    EntityDescription(name: _entityName, properties: [])
  }

  /// The name of the class's entity; the `@Entity` macro overrides it.
  open class var _entityName: String { "ManagedObject" }

  /// The name of the entity that a class's subclasses inherit from; nil for ``ManagedObject`` and for
  /// plain classes below it.
  public class final var _superentityName: String? {
    _entityName == ManagedObject._entityName ? nil : _entityName
  }

  /// The index of each property by key path; the `@Entity` macro overrides it.
  open class func _keyPathTable() -> [AnyKeyPath: Int] { [:] }

  /// What a transient property reads as before it is set; the `@Entity` macro overrides it.
  open class func _transientDefault(_ index: Int) -> Any? { nil }

  // The life cycle; the article `Life cycle` has the order of all calls.

  /// Called once in the object's life, when it was created; defaults are set already.
  ///
  /// What is set here is part of the creation. Contexts that get the object by a save or a merge do not
  /// call it again.
  /// ```swift
  /// override func awakeFromInsert() { created = .now }
  /// ```
  open func awakeFromInsert() {}

  /// Called when the object's row has been read: by a fetch, or by the first access to a fault.
  ///
  /// Attributes that are set here are not changes: they show until others' values are taken in, and
  /// nothing of them is saved. A relationship that is set is an ordinary change, and so is what is set
  /// after it. Classes override it where their properties are declared: if only a subclass does,
  /// reading an inherited attribute does not call it yet, but the next access to anything else does.
  /// ```swift
  /// override func awakeFromFetch() { words = text.split(separator: " ").count }  // @Transient var words
  /// ```
  open func awakeFromFetch() {}

  /// Called when the object shows values of another moment without having turned into a fault: after a
  /// rollback, an undo, a refresh or a merge, and when a merge policy has decided.
  ///
  /// What is set here is a change like any other.
  /// - Parameter flags: What has happened; ``SnapshotEventType``.
  open func awakeFromSnapshotEvents(_ flags: SnapshotEventType) {}

  /// Called before the context saves the object, also a deleted one; changes made here are saved, too,
  /// and where there are any it is called again, at most a hundred times.
  ///
  /// Ancestors that have the object call it when they save it. It cannot refuse the save:
  /// ``validateForUpdate()`` and its like can.
  open func willSave() {}

  /// Called after the context has saved the object, when all that was saved is clean; ancestors that
  /// have the object call it when they have saved it.
  ///
  /// What is changed here is not saved yet.
  open func didSave() {}

  /// Called at every `delete()`, also a second one, while all relationships are still there; and where
  /// a delete rule takes the object along.
  open func prepareForDeletion() {}

  /// Called before a refresh has the object forget its values, which can be read still.
  open func willTurnIntoFault() {}

  /// Called when a refresh has made the object a fault; transient values are gone.
  ///
  /// It is not called for an object that leaves the context because nobody holds it.
  open func didTurnIntoFault() {}

  /// Called by a save for each attribute and to-one relationship of a new object, and for each that
  /// changed of another; an error that it throws refuses the save.
  ///
  /// ```swift
  /// override func validate(_ value: Any?, for property: String) throws {
  ///   if property == "name", name.contains("\n") {
  ///     throw CauldronError(.validationFailed, "A name has one line.")
  ///   }
  /// }
  /// ```
  /// It may set properties; then the object is validated again. What the model declares is checked
  /// afterwards, and whether or not `super` is called.
  /// - Parameters:
  ///   - value: The value as ``value(forKey:)`` gives it: the raw value of an enumeration.
  ///   - property: The property's name.
  open func validate(_ value: Any?, for property: String) throws {}

  /// Called by a save of a new object, after its values were validated; an error that it throws refuses
  /// the save.
  open func validateForInsert() throws {}

  /// Called by a save of a changed object, after its values were validated; an error that it throws
  /// refuses the save.
  open func validateForUpdate() throws {}

  /// Called by a save of a deleted object; an error that it throws refuses the save.
  open func validateForDelete() throws {}

  // Imports; the article `Importing` has the order of all calls.

  /// Called before an import sets anything of the object; an answer of no leaves it alone, and a new object
  /// does not stay.
  /// - Parameter source: The record, as it was written.
  open func shouldImport(_ source: ImportSource) throws -> Bool { true }

  /// Called before an import sets the object's attributes; an error that it throws refuses the record.
  open func willImport(_ source: ImportSource) throws {}

  /// Called after an import has set the object's attributes and relationships, and before it is linked to
  /// the object in whose record it was; an error that it throws refuses the record.
  open func didImport(_ source: ImportSource) throws {}

  /// Calls what a class declares for one property; the `@Entity` macro overrides it.
  /// - Returns: Whether that has done all there is to do.
  open func _importProperty(_ name: String, _ value: ImportValue) throws -> Bool { false }

  /// The properties for which ``_importProperty(_:_:)`` has something to call; the `@Entity` macro
  /// overrides it.
  open class var _importedProperties: Set<String> { [] }

  /// The properties of no class: what entities below a plain class count theirs from. The `@Entity` macro
  /// declares one for each class.
  public enum _Properties {
    /// How many properties there are.
    @inlinable public static var _count: Int { 0 }

    /// The index of each property by key path.
    public static func _keyPaths<Root: ManagedObject>(_ root: Root.Type) -> [AnyKeyPath: Int] {
      [:]
    }
  }

  /// Which accessors attributes have; the `@Entity` macro overrides it in a class that overrides
  /// ``awakeFromFetch()``.
  public typealias _Access = _PlainAccess

  /// Which of the functions above are overridden, so that they are called; the `@Entity` macro sees
  /// that and overrides it.
  open class var _hooks: _ObjectHooks { self == ManagedObject.self ? [] : .all }
}

/// An entity's class; the `@Entity` macro declares the conformance.
public protocol ManagedEntity: ManagedObject {}

// The hook that tells an object of its row runs where the row is read, in the middle of a getter. Getters
// of other classes promise the compiler that nothing is released meanwhile, which a program's own code
// cannot promise; so the classes that have such code have getters of their own.
extension ManagedObject {
  /// Makes sure that the row is read, and that the object was told of it.
  @inlinable @inline(__always)
  final func _ready() {
    if state.mustAwake { _awake() }
  }

  /// Transient values may be what the hook has set; other classes read nothing for them.
  final func awakeForTransients() {
    let awakes = core._withUnsafeGuaranteedRef { $0.place.awakes && $0.hooks.awakesFromFetch(self) }
    if awakes { _ready() }
  }

  @usableFromInline @inline(never)
  final func _awake() { core._withUnsafeGuaranteedRef { $0.reader.ready(self) } }

  /// Serves generated code: reads an attribute of a class that overrides ``awakeFromFetch()``.
  @inlinable @inline(__always)
  public final func _get<Value: AttributeValue>(
    _ index: Int, _ access: _AwakingAccess.Type
  ) -> Value {
    _check()
    _ready()
    return _readUnchecked(index)
  }

  /// Serves generated code: writes an attribute of a class that overrides ``awakeFromFetch()``.
  @inlinable @inline(__always)
  public final func _set<Value: AttributeValue>(
    _ index: Int, _ value: Value, _ access: _AwakingAccess.Type
  ) {
    _check()
    _ready()
    _set(index, value, _PlainAccess.self)
  }
}

/// Names the accessors of classes that are not told when their rows are read.
public enum _PlainAccess {}

/// Names the accessors of classes that override ``ManagedObject/awakeFromFetch()``; the `@Entity` macro
/// names it in such a class, and subclasses inherit that.
public enum _AwakingAccess {}

/// What a context hands to an object that it makes.
///
/// The object takes over a retain of the row's block, and retains the core by itself.
public struct _ObjectSeed {
  let owner: ObjectOwner
  let row: RowPointer
  let key: Int64
  let entityNumber: Int32
  let state: ObjectState
}

/// The old name of what only macros use.
@available(*, deprecated, renamed: "_ObjectSeed")
public typealias ObjectSeed = _ObjectSeed

/// The context that objects are made for, as objects know it: nobody can ask it for anything.
struct ObjectOwner {
  private let core: Unmanaged<ContextCore>

  init(_ core: ContextCore) { self.core = .passUnretained(core) }

  /// The context, retained for an object.
  @inline(__always)
  func retained() -> Unmanaged<ContextCore> { core.retain() }
}

/// Why an object shows values of another moment; see ``ManagedObject/awakeFromSnapshotEvents(_:)``.
///
/// The numbers are Core Data's.
public struct SnapshotEventType: OptionSet, Sendable, Hashable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The object's creation was undone.
  public static var undoInsertion: SnapshotEventType { SnapshotEventType(rawValue: 2) }
  /// The object's deletion was undone.
  public static var undoDeletion: SnapshotEventType { SnapshotEventType(rawValue: 4) }
  /// Changes of the object were undone.
  public static var undoUpdate: SnapshotEventType { SnapshotEventType(rawValue: 8) }
  /// The context was rolled back.
  public static var rollback: SnapshotEventType { SnapshotEventType(rawValue: 16) }
  /// The object took in what others have saved, because it was asked to or by itself.
  public static var refresh: SnapshotEventType { SnapshotEventType(rawValue: 32) }
  /// A merge policy has changed what was saved of the object.
  public static var mergePolicy: SnapshotEventType { SnapshotEventType(rawValue: 64) }
}

/// What only objects that were edited, walked or observed or could not be read need.
package final class ObjectExtras {
  /// The rows of the object's edits.
  @exclusivity(unchecked) package var edits = ObjectEdits()
  /// The consequences of the object's deletion, so that it can be taken back as a whole.
  var entailed: [Entailment] = []
  /// The to-many relationships that were walked: the objects' IDs, by property index.
  var toMany: [Int: ToManyCache] = [:]
  /// Whether a relationship that is not among the walked ones may lead somewhere though the object is new and
  /// was not published: it was walked and forgotten, or led to by a restoration.
  var hasUnknownLists = false
  /// The values of transient properties.
  @exclusivity(unchecked) package var transient: [Int: Any] = [:]
  /// The properties that are observed, as long as they are.
  var observed: [ObservedCell.Place] = []
  /// Why the row could not be read.
  var error: CauldronError?
}

extension ObjectExtras {
  /// Forgets what was walked of a to-many relationship.
  func forgetWalk(of index: Int) {
    if toMany.removeValue(forKey: index) != nil { hasUnknownLists = true }
  }

  /// Has a to-many relationship be read anew, whether it was walked or not.
  package func forgetList(_ index: Int) {
    toMany[index] = nil
    hasUnknownLists = true
  }

  /// Forgets every walked to-many relationship.
  func forgetWalks() {
    if toMany.isEmpty { return }
    toMany = [:]
    hasUnknownLists = true
  }

  /// Nothing that the running event did not do is unsaved any more.
  func forgetEdits() {
    edits.settle()
    entailed = []
  }

  /// Nothing of the object is unsaved any more.
  package func revertEdits() {
    forgetEdits()
    edits.publish()
  }
}
