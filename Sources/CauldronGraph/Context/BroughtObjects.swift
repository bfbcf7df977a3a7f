import CauldronLedger
import CauldronModel
import CauldronStore

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
