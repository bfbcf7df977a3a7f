public import CauldronGraph
import CauldronLedger
public import CauldronModel
import CauldronQuery
import CauldronStore

extension ManagedObjectContext {
  /// Changes what is committed, at once: all objects that a request selects in the store, in one
  /// transaction, without hooks. `batchUpdate` of a query is the usual way to call it.
  ///
  /// Unsaved changes neither decide which objects are changed nor are they written. Where one of
  /// them is of the same property, its save meets a conflict; others go together. Registered
  /// objects of this context show the new values at return. Contexts that merge saves of other
  /// contexts automatically show them from their next event.
  /// - Parameters:
  ///   - assignments: What is set; all new values are made of what the objects were before.
  ///   - returningIDs: Whether the summary names the objects.
  /// - Throws: `query.…`, `validation.…`, `save.constraint`, `store.…`; then nothing is written.
  /// - Complexity: One statement, unless a relationship is set, an expression follows one, a computed value
  ///   has a rule, or something is wrong: then the rows are read, and written one by one.
  @discardableResult
  public func batchUpdate<Object: ManagedObject>(
    _ request: FetchRequest<Object>, _ assignments: [BatchAssignment], returningIDs: Bool = false
  ) throws -> BatchSummary {
    prove()
    let query = try batchQuery(request)
    let bound = try BatchBinder(
      entity: query.entity, storeNumber: core.coordinator.storeNumber
    ).bind(assignments)
    if bound.isEmpty { return BatchSummary() }
    let update = BatchUpdate(query, bound)
    return try writingAtOnce {
      try core.coordinator.update(update, returningIDs: returningIDs, for: core)
    }
  }

  /// Deletes what is committed, at once: all objects that a request selects in the store, in one
  /// transaction, with the delete rules and without hooks. `batchDelete` of a query is the usual way to
  /// call it.
  ///
  /// What was said of unsaved changes in ``batchUpdate(_:_:returningIDs:)`` holds here: a pending edit
  /// of a deleted object meets a conflict at its save.
  /// - Throws: `query.…`; `validation.denied` where a relationship denies one of the deletions;
  ///   `validation.missing` where a required reference would be cleared; `store.…`. Then nothing is
  ///   deleted.
  /// - Complexity: One statement for each relationship of the objects, and O(deleted objects).
  @discardableResult
  public func batchDelete<Object: ManagedObject>(
    _ request: FetchRequest<Object>, returningIDs: Bool = false
  ) throws -> BatchSummary {
    prove()
    let query = try batchQuery(request)
    return try writingAtOnce {
      try core.coordinator.delete(query, returningIDs: returningIDs, for: core)
    }
  }

  /// Rows of a class's entity to be filled, for ``write(_:on:returningIDs:)``.
  package func newBatchRows(_ type: ManagedObject.Type) throws -> BatchRows {
    prove()
    let entity = try core.requests.layout(named: nil, for: type)
    if entity.isAbstract {
      throw CauldronError.unsupported(
        entity, nil, "it is abstract, and no object is of it",
        hint: "Insert objects of a class that has some of its own.")
    }
    return BatchRows(entity, storeNumber: core.coordinator.storeNumber)
  }

  /// Writes new rows at once.
  /// - Parameter names: The properties of the unique key by which rows are found that are changed instead;
  ///   nil where all are new.
  package func write(
    _ rows: BatchRows, on names: [String]?, returningIDs: Bool
  ) throws -> BatchSummary {
    prove()
    rows.close()
    if let error = rows.error { throw error }
    let key = try names.map { try rows.uniqueKey($0) }
    return try writingAtOnce {
      try core.coordinator.insert(rows, on: key, returningIDs: returningIDs, for: core)
    }
  }
}

extension BatchRows {
  /// The unique key of exactly these properties.
  fileprivate func uniqueKey(_ names: [String]) throws -> UniqueKey {
    for name in names { _ = try PredicateNode.property(name, entity) }
    if let key = entity.uniqueKeys.first(where: { Set($0.names) == Set(names) }) { return key }
    let paths = names.map { "\\.\($0)" }.joined(separator: ", ")
    throw CauldronError.unsupported(
      entity, names.first, "an upsert needs what is unique, which \(paths) is not",
      hint: "Write #Unique<\(entity.name)>([\(paths)]) in the class.")
  }
}

extension ManagedObjectContext {
  /// The rows that a request selects among the committed ones.
  private func batchQuery<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> StoreQuery {
    core.keys.followExchanges()
    return core.keys.followed(
      try core.requests.query(named: request.entityName, of: Object.self, for: request.description))
  }

  /// Writes, and takes in at once what was written.
  private func writingAtOnce(_ write: () throws -> BatchSummary) rethrows -> BatchSummary {
    // What the running event has edited was edited before.
    core.publisher.publish()
    let summary = try write()
    core.catchUp.run()
    return summary
  }
}

/// What a batch has written.
public struct BatchSummary: Sendable, Hashable {
  /// The objects that are new.
  public var inserted = 0
  /// The objects that were changed, those included whose references a delete rule has cleared.
  public var updated = 0
  /// The objects that were deleted, those included that a delete rule has taken along.
  public var deleted = 0
  /// The links of many-to-many relationships that were taken away.
  public var links = 0
  /// The objects that were asked for: new, changed or deleted ones; empty unless IDs were asked for.
  public var objectIDs: [ManagedObjectID] = []

  /// A summary of nothing.
  public init() {}
}

extension BatchSummary: CustomStringConvertible {
  /// The counts that are not 0: `3 updated, 1 deleted`.
  public var description: String {
    let counts = [
      (inserted, "inserted"), (updated, "updated"), (deleted, "deleted"),
      (links, links == 1 ? "link removed" : "links removed"),
    ].filter { $0.0 > 0 }
    return counts.isEmpty ? "nothing changed" : counts.map { "\($0) \($1)" }.joined(separator: ", ")
  }
}

extension BatchSummary {
  init(_ changes: ChangeSet, returningIDs: Bool, _ storeNumber: Int32) {
    inserted = changes.insertedCount
    updated = changes.updatedCount
    deleted = changes.deletedCount
    links = changes.linkCount
    guard returningIDs else { return }
    for set in changes.entities where !set.entity.isJoin {
      // What a delete rule has changed was not asked for.
      let own =
        deleted > 0 ? set.deleted.map(\.key) : set.inserted.map(\.key) + set.updated.map(\.row.key)
      objectIDs += own.map {
        ManagedObjectID(key: $0, entityNumber: set.entity.number, storeNumber: storeNumber)
      }
    }
  }

  init(_ receipt: BatchReceipt, returningIDs: Bool, _ storeNumber: Int32) {
    updated = receipt.count
    guard returningIDs else { return }
    for (entity, keys) in receipt.updated {
      objectIDs += keys.map {
        ManagedObjectID(key: $0, entityNumber: entity.number, storeNumber: storeNumber)
      }
    }
  }
}
