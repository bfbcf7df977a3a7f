public import CauldronModel

extension ManagedObjectContext {
  /// How many objects a to-many relationship leads to, for many owners at once; unsaved changes of the
  /// context and its ancestors count.
  ///
  /// ```swift
  /// let sizes = try context.counts(of: "employees", for: companies)    // sizes[acme.objectID] == 12
  /// ```
  /// - Parameters:
  ///   - relationship: The name of a to-many relationship.
  ///   - owners: Objects of this context; those that are deleted, or gone, get no number.
  /// - Throws: `query.…` where the owners have no such relationship, `store.…`.
  /// - Complexity: One statement for each entity that owners are of; with pending changes the rows are
  ///   read.
  public func counts(
    of relationship: String, for owners: [ManagedObject]
  ) throws -> [ManagedObjectID: Int] {
    prove()
    core.publish()
    var counts: [ManagedObjectID: Int] = [:]
    let present = owners.filter { $0.state.isDisjoint(with: [.deleted, .gone]) }
    for (name, some) in Dictionary(grouping: present, by: \.layout.name) {
      try core.count(relationship, some, named: name, into: &counts)
    }
    return counts
  }
}

extension ContextCore {
  fileprivate func count(
    _ relationship: String, _ owners: [ManagedObject], named name: String,
    into counts: inout [ManagedObjectID: Int]
  ) throws {
    let ids = Set(owners.map(\.objectID)).sorted { $0.key < $1.key }
    var objects = FetchRequest<ManagedObject>(entityName: name)
    objects.predicate = .isSelf(ids)
    var request = ValueRequest(objects)
    request.columns = [.aggregate(.count, of: PropertyPath(relationship), nil)]
    guard let handle else { return }
    let lines = try handle.fetchValues(request)
    // Lines come by the keys of their objects; where one is gone meanwhile, none is told from another.
    guard lines.count == ids.count else {
      if ids.count == 1 { return }
      for owner in owners { try count(relationship, [owner], named: name, into: &counts) }
      return
    }
    for (id, line) in zip(ids, lines) {
      if case .integer(let count) = line[0] { counts[id] = Int(count) }
    }
  }
}
