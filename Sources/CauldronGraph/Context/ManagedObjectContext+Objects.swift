public import CauldronModel
import CauldronStore

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
}

extension ManagedObjectContext {
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
