import CauldronLedger
public import CauldronModel
import CauldronStore
import Foundation

extension ManagedObjectContext {
  /// Creates an object of an entity by name.
  /// - Throws: `model.unknownEntity`; `model.invalid` of an abstract entity.
  public func insertNewObject(forEntityName name: String) throws -> ManagedObject {
    prove()
    let layout = try core.requests.layout(named: name, for: ManagedObject.self)
    if layout.isAbstract {
      throw CauldronError(
        .modelInvalid, "Cannot create an object of \"\(name)\": the entity is abstract.",
        hint: "Create one of a subentity."
      ).with { $0.entity = name }
    }
    return core.editor.create(layout)
  }

  /// Creates an object of a class's entity; `create(in:)` is the usual way to call it.
  ///
  /// The class must belong to the stack's model; otherwise the call traps.
  public func insertNewObject<Object: ManagedObject>(_ type: Object.Type) -> Object {
    prove()
    return unsafeDowncast(core.editor.create(core.registry.layout(of: type)), to: type)
  }

  /// The object with an ID; a fault if it is not registered, and nothing is read.
  ///
  /// An ID that was provisional leads to the object as before; so it does in all calls that take one.
  /// Traps for an ID of another store.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    prove()
    guard let object = core.reader.object(with: id) else {
      trap("Object \(id) belongs to another store than context \"\(name)\".")
    }
    return object
  }

  /// The object with an ID, its row read.
  ///
  /// An object that the context has deleted does not exist here, whether the deletion was saved or
  /// not, just as a fetch does not find it; ``registeredObject(for:)`` still gives it.
  /// - Throws: `object.notFound`, `store.…`.
  /// - Complexity: One statement for an object that neither context nor cache knows.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    prove()
    let object = try core.reader.existingObject(id)
    core.hooks.runWaitingHooks()
    return object
  }

  /// The object with an ID if the context has it, or a child has saved it here; nothing is read.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    prove()
    if let object = core.keys.registeredObject(id) { return object.isDeparted ? nil : object }
    return BroughtObjects(core).object(with: id)
  }

  /// Marks an object deleted; the delete rules of its relationships are applied at the end of the
  /// event.
  public func delete(_ object: ManagedObject) { object.delete() }

  /// Whether there is anything to save: own edits, or what children have saved into this context.
  public var hasChanges: Bool {
    prove()
    return core.hasChanges
  }

  /// The objects that the context, or a child that has saved into it, has created and the context has not
  /// saved. Those of children are faults that are made now.
  /// - Complexity: O(unsaved objects).
  public var insertedObjects: [ManagedObject] {
    unsaved(.insertion)
  }

  /// The objects that the context, or a child that has saved into it, has changed and the context has not
  /// saved; otherwise as ``insertedObjects``.
  ///
  /// So are the owners of to-many relationships that the context has changed, from whichever side.
  public var updatedObjects: [ManagedObject] {
    let edited = unsaved(.update)
    let known = Set(edited.map(ObjectIdentifier.init))
    return edited
      + TouchedOwners(core).all.filter { !known.contains(ObjectIdentifier($0)) && !$0.isInserted }
  }

  /// The objects that the context, or a child that has saved into it, has deleted and the context has not
  /// saved. Those of children are made now, and show what they were like.
  public var deletedObjects: [ManagedObject] {
    unsaved(.deletion)
  }

  /// Every object that the context has.
  public var registeredObjects: [ManagedObject] {
    prove()
    return core.registry.objects().filter { !$0.layout.isJoin && !$0.isDeparted }
  }

  /// Ends the event now: what was changed becomes visible to children, deletions are carried on.
  public func processPendingChanges() {
    prove()
    core.publisher.processPending()
    core.undoTarget?.endUndoStep()
  }

  private func unsaved(_ kind: RowChange.Kind) -> [ManagedObject] {
    prove()
    var seen: Set<ObjectIdentifier> = []
    core.keys.settleRefreshes()
    let own = (core.pending.objects + core.event.objects + core.pending.unread).filter {
      $0.unsavedKindNow != nil && !$0.layout.isJoin && seen.insert(ObjectIdentifier($0)).inserted
    }
    return BroughtObjects(core).unsaved(kind, own: own)
  }

  /// The context and its ancestors; the last one is on the coordinator.
  ///
  /// ```swift
  /// print(context.parentChain.map(\.name).joined(separator: " → "))
  /// // Untitled Context → Default Context → Root Saving Context
  /// ```
  public var parentChain: [ManagedObjectContext] {
    var chain = [self]
    while let parent = chain[chain.count - 1].parent { chain.append(parent) }
    return chain
  }

  /// Marks objects deleted; see ``delete(_:)-(ManagedObject)``.
  /// - Complexity: O(objects), and what delete rules reach.
  public func delete<Object: ManagedObject>(_ objects: some Sequence<Object>) {
    for object in objects { object.delete() }
  }
}

extension ManagedObject {
  /// The same object in another context; a fault if that context does not have it.
  ///
  /// Objects that are not in the store yet are found too, if they were saved into an ancestor of
  /// the context, or belong to an ancestor whose event has ended.
  /// ```swift
  /// let mine = person.in(context)
  /// ```
  /// - Complexity: Nothing is read.
  public final func `in`(_ context: ManagedObjectContext) -> Self {
    // The entity decides the class, and it is the same in every context of a coordinator.
    unsafeDowncast(context.object(with: objectID), to: Self.self)
  }
}

extension ManagedObjectContext {
  /// Gives objects permanent IDs that have none, so that ``ManagedObjectID/isTemporaryID`` is false of all.
  ///
  /// Mostly there is nothing to do: an ID is permanent from the start, unless somebody else wrote to the store
  /// while no reserved key was left; see ``ManagedObject/objectID``. Objects of other contexts are passed over.
  /// - Throws: What reserving keys meets, such as `store.busy`; it waits for the store as a save does.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    prove()
    let waiting = objects.filter {
      $0.core._withUnsafeGuaranteedRef { $0 === core } && $0.objectID.isTemporaryID
    }
    if waiting.isEmpty { return }
    core.publisher.publish()
    try core.coordinator.reserveKeys(for: waiting.filter { !$0.isGone })
    core.keys.followExchanges()
  }
}

/// What children have saved into a context and the context has not saved, as objects of the context.
///
/// They are made when somebody asks for them: so 100,000 new objects pass through a context for next to
/// nothing. Objects that are made in the middle of a save are asked no hooks by it.
struct BroughtObjects {
  private let core: ContextCore

  init(_ core: ContextCore) { self.core = core }

  private var node: LedgerNode { core.node }
  private var coordinator: PersistentStoreCoordinator { core.coordinator }

  /// The object with an ID, where children have saved it into the context and not deleted it.
  /// - Complexity: O(log layers), mostly.
  func object(with id: ManagedObjectID) -> ManagedObject? {
    let id = core.keys.followed(id)
    guard let kind = coordinator.ledger.pendingKind(id, in: node), kind != .deletion else {
      return nil
    }
    return make(id)
  }

  /// All unsaved objects of a kind, those that the context itself has created, changed or deleted first.
  /// - Parameter own: Those, each once.
  /// - Complexity: O(unsaved objects).
  func unsaved(_ kind: RowChange.Kind, own: [ManagedObject]) -> [ManagedObject] {
    let layers = coordinator.ledger.layers(of: node)
    if layers.allSatisfy({ $0.origin === node }) || coordinator.has(.unlistedReceipts) {
      return own.filter { $0.unsavedKindNow == kind }
    }
    let (ids, kinds) = core.keys.withSettledKeys {
      brought(layers.map { coordinator.ledger.followed($0) })
    }
    let known = Set(own.map(\.objectID))
    let mine = own.filter { object in
      guard let own = object.unsavedKindNow else { return false }
      guard let waiting = kinds[object.objectID] else { return own == kind }
      return (object.isInEvent ? Self.net(of: waiting, then: own) : waiting) == kind
    }
    let theirs = ids.filter { kinds[$0] == kind && !known.contains($0) }
    if kind == .deletion { return mine + theirs.compactMap { makeDeleted($0, in: layers) } }
    return mine + theirs.compactMap(make)
  }

  /// The object that stands for a row which a child has deleted: it is deleted here, too, and shows what the
  /// row was like.
  private func makeDeleted(_ id: ManagedObjectID, in layers: [Layer]) -> ManagedObject? {
    let known = core.keys.registeredObject(id)
    if let known, !known.isFault { return known }
    guard let layout = coordinator.layout(id),
      case .deleted(let deletion)? = LayerChain(layers: layers).newest(id)
    else { return known ?? make(id) }
    if let known {
      known.fill(with: deletion.base)
      known.vanish()
      return known
    }
    let object = core.registry.makeObject(
      of: layout, key: id.key, row: deletion.base, state: .shown)
    core.registry.insert(object, key: id.key, root: layout.rootNumber)
    object.vanish()
    core.event.note(madeOnAsking: object)
    return object
  }

  /// What has become of the objects that children have saved here, in the order in which they came; nil for
  /// one that was created and deleted.
  private func brought(
    _ layers: [Layer]
  ) -> ([ManagedObjectID], [ManagedObjectID: RowChange.Kind?]) {
    var ids: [ManagedObjectID] = []
    var kinds: [ManagedObjectID: RowChange.Kind?] = [:]
    var isBrought: Set<ManagedObjectID> = []
    let below = coordinator.ledger.view(below: node)
    for layer in layers {
      for set in layer.changes.entities where !set.entity.isJoin {
        func add(_ key: Int64, as kind: RowChange.Kind) {
          let id = coordinator.id(key, of: set.entity)
          if layer.origin !== node, isBrought.insert(id).inserted { ids.append(id) }
          kinds[id] = Self.net(of: kinds[id] ?? nil, then: kind)
        }
        for row in set.inserted { add(row.key, as: .insertion) }
        for update in set.updated {
          let isBack = coordinator.bringsBack(update, of: set.entity, over: below)
          add(update.row.key, as: isBack ? .insertion : .update)
        }
        for deletion in set.deleted { add(deletion.key, as: .deletion) }
      }
    }
    return (ids, kinds.filter { isBrought.contains($0.key) })
  }

  /// What a change and a later one are together; nil where nothing is left. A value that one context has
  /// changed and another one has set back is changed still, as each has made an edit of what it showed.
  private static func net(of first: RowChange.Kind?, then second: RowChange.Kind) -> RowChange.Kind?
  {
    switch (first, second) {
    case (nil, _): second
    case (.insertion, .deletion): nil
    case (.insertion, _): .insertion
    case (.deletion, .insertion): .update
    case (_, _): second
    }
  }

  private func make(_ id: ManagedObjectID) -> ManagedObject? {
    let isKnown = core.keys.registeredObject(id) != nil
    guard let object = core.reader.object(with: id) else { return nil }
    if !isKnown { core.event.note(madeOnAsking: object) }
    return object
  }
}
