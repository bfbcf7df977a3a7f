public import CauldronModel
import CauldronQuery

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
  ///   read. Where others have deleted one of n owners, 2 log n more.
  public func counts(
    of relationship: String, for owners: [ManagedObject]
  ) throws -> [ManagedObjectID: Int] {
    prove()
    core.publisher.publishForQuery()
    var counts: [ManagedObjectID: Int] = [:]
    let present = owners.filter { $0.isAlive }
    for (name, some) in Dictionary(grouping: present, by: \.layout.name) {
      try count(relationship, of: some, named: name, into: &counts)
    }
    return counts
  }
}

extension ManagedObjectContext {
  private func count(
    _ relationship: String, of owners: [ManagedObject], named name: String,
    into counts: inout [ManagedObjectID: Int]
  ) throws {
    var (ids, lines) = try lines(relationship, of: owners, named: name)
    // Keys were exchanged meanwhile, and with them the order.
    while ids != sortedIDs(of: owners) {
      (ids, lines) = try self.lines(relationship, of: owners, named: name)
    }
    // Lines come by the keys of their objects; where one is gone meanwhile, none is told from another.
    guard lines.count == ids.count else {
      if owners.count == 1 { return }
      let middle = owners.count / 2
      for half in [owners[..<middle], owners[middle...]] {
        try count(relationship, of: Array(half), named: name, into: &counts)
      }
      return
    }
    for (id, line) in zip(ids, lines) {
      if case .integer(let count) = line[0] { counts[id] = Int(count) }
    }
  }

  private func sortedIDs(of owners: [ManagedObject]) -> [ManagedObjectID] {
    core.keys.followExchanges()
    return Set(owners.map(\.objectID)).sorted { $0.key < $1.key }
  }

  private func lines(
    _ relationship: String, of owners: [ManagedObject], named name: String
  ) throws -> ([ManagedObjectID], [[AttributeScalar]]) {
    let ids = sortedIDs(of: owners)
    var objects = FetchRequest<ManagedObject>(entityName: name)
    objects.predicate = .isSelf(ids)
    var request = ValueRequest(objects)
    request.columns = [.aggregate(.count, of: PropertyPath(relationship), nil)]
    return (ids, try fetchValues(request))
  }
}
