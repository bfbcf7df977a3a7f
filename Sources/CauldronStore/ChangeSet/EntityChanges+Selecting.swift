package import CauldronModel
import CauldronQuery

extension EntityChanges {
  /// Smaller sets are scanned as they are.
  private static let columnless = 1_024

  /// Appends the inserted rows that a predicate holds for, in their order.
  ///
  /// A set that is searched again keeps columns of the values that are asked for.
  /// - Parameter test: The predicate, compiled.
  /// - Complexity: O(rows), at a tenth of the time of the first search from the third one on.
  func select(
    _ predicate: BoundPredicate, _ test: RowTest, limit: Int, to result: inout [RowPointer]
  ) {
    guard limit > 0, test.entry != RowTest.reject else { return }
    guard inserted.count >= Self.columnless else {
      _ = test.select(inserted, limit: limit, to: &result)
      return
    }
    let (tests, isWhole) = predicate.columnTests
    let (found, missing) = columns(for: tests)
    let visits: Int
    if found.isEmpty {
      visits = test.select(inserted, limit: limit, to: &result)
    } else {
      let scan = ColumnScan(found, test, isWhole: isWhole && found.count == tests.count)
      visits = scan?.select(inserted, limit: limit, to: &result) ?? 0
    }
    if let missing { searches.withLock { $0.columns.note(visits: visits, missing) } }
  }

  /// The columns that there are for the tests, and the property whose column is wanted next.
  ///
  /// At most one column is made. It is made outside the lock, so that no other search waits for it;
  /// two may make it at once.
  private func columns(
    for tests: [ColumnTest]
  ) -> (found: [(ColumnTest, ValueColumn)], missing: Int?) {
    let (kept, missing, isDue) = searches.withLock { cache in
      let found = tests.compactMap { test in
        cache.columns.column(test.value.index).map { (test, $0) }
      }
      let missing = tests.first { test in
        !found.contains { $0.0.value.index == test.value.index }
      }
      let wanted = cache.columns.hasRoom(beside: found.count) ? missing : nil
      return (found, wanted, wanted.map { cache.columns.isDue($0.value.index) } ?? false)
    }
    guard let missing else { return (kept, nil) }
    guard isDue else { return (kept, missing.value.index) }
    let made = ValueColumn(missing.value, inserted)
    searches.withLock { $0.columns.keep(made, of: missing.value.index) }
    return (kept + [(missing, made)], nil)
  }
}

extension BoundPredicate {
  /// The conditions for columns, which must all hold, the most selective first; and whether they
  /// are the whole predicate.
  fileprivate var columnTests: (tests: [ColumnTest], isWhole: Bool) {
    var tests: [ColumnTest] = []
    var isWhole = true
    for part in conjuncts {
      guard let test = ColumnTest(part) else {
        isWhole = false
        continue
      }
      if let index = tests.firstIndex(where: { $0.joined(with: test) != nil }),
        let joined = tests[index].joined(with: test)
      {
        tests[index] = joined
      } else {
        tests.append(test)
      }
    }
    return (tests.sorted { $0.looseness < $1.looseness }, isWhole)
  }

  private var conjuncts: [BoundPredicate] {
    if case .and(let nodes) = self { nodes.flatMap(\.conjuncts) } else { [self] }
  }
}

extension QueryMatcher {
  /// Appends the inserted rows that the predicate holds for, where they are of the query's entities.
  /// - Parameter limit: The most rows to append.
  package func select(
    insertedBy changes: EntityChanges, limit: Int = .max, to result: inout [RowPointer]
  ) {
    if let predicate, let test {
      return changes.select(predicate, test, limit: limit, to: &result)
    }
    result += changes.inserted.prefix(limit)
  }
}

/// What a change set keeps for those who search it, under one lock.
struct SearchCache: Sendable {
  /// The rows by value, for the properties that were searched.
  var indexes: [Int: ValueIndex] = [:]
  /// The rows by what a unique key compares, by the key's number.
  var uniqueIndexes: [Int: ValueIndex] = [:]
  /// The values of the inserted rows by property, for those that were asked for repeatedly.
  var columns: ColumnCache
}

/// The rows of a change set by the value of one property: chained buckets, with neither values nor
/// hashes in them, which is some ten bytes a row.
struct ValueIndex: Sendable {
  /// The newest row of each bucket; -1 for none.
  private var heads: [Int32]
  /// The row before each one in its bucket.
  private var next: [Int32]

  /// - Parameter count: The number of rows; `row` gives them by position.
  init(_ value: HashedValue, count: Int, _ row: (Int) -> RowPointer) {
    self.init(count: count) { value.hash(row($0)) }
  }

  /// - Parameter hash: The number of a row's value by position; nil where it has none.
  @inline(__always)
  init(count: Int, _ hash: (Int) -> UInt64?) {
    var size = 1
    while size < count { size *= 2 }
    heads = Array(repeating: -1, count: size)
    next = Array(repeating: -1, count: count)
    for position in 0..<count {
      guard let hash = hash(position) else { continue }
      let bucket = Int(hash & UInt64(size - 1))
      next[position] = heads[bucket]
      heads[bucket] = Int32(position)
    }
  }

  /// Calls `body` with the positions of all rows with a value of this hash, and of some other rows,
  /// until it returns false.
  @inline(__always)
  func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
    var position = heads[Int(hash & UInt64(heads.count - 1))]
    while position >= 0 {
      guard body(Int(position)) else { return }
      position = next[Int(position)]
    }
  }
}

// An owner is an object at the end of a reference whose other end is a to-many relationship: it is
// touched where the reference changes, although no column of its row does.
extension EntityChanges {
  /// The keys that a reference leads to, or led to, in rows where it does not end as it began; a key may
  /// come more than once.
  package func owners(by reference: PropertyLayout) -> [Int64] {
    var keys: [Int64] = []
    forEachOwner(by: reference) { row in
      let key = row.slot(reference.index)
      if keys.last != key { keys.append(key) }
    }
    return keys
  }

  /// Calls `body` with the rows in which a reference leads, or led, to an owner, where it does not end as it
  /// began.
  package func forEachOwner(by reference: PropertyLayout, _ body: (RowPointer) -> Void) {
    let index = reference.index
    func add(_ row: RowPointer) { if !row.isNull(index) { body(row) } }
    inserted.forEach(add)
    let placed = placed(by: reference)
    let touching = PropertySet([index, placed.index])
    for update in updated where !update.changed.intersection(touching).isEmpty {
      guard update.relinks(reference) || update.moves(placed) else { continue }
      add(update.base)
      add(update.row)
    }
    for deletion in deleted { add(deletion.base) }
  }

  /// The reference beside which a row has its place among the objects of the one that a reference leads to:
  /// that itself in a member's row; in a link's, the one that leads to the member.
  private func placed(by reference: PropertyLayout) -> PropertyLayout {
    guard entity.isJoin else { return reference }
    return entity.digest.toOnes.first { $0.index != reference.index } ?? reference
  }
}

extension RowUpdate {
  /// Whether a reference leads to another object than before.
  fileprivate func relinks(_ reference: PropertyLayout) -> Bool {
    let index = reference.index
    if base.isNull(index) || row.isNull(index) { return base.isNull(index) != row.isNull(index) }
    return base.slot(index) != row.slot(index)
  }

  /// Whether the place beside a reference is another one than before.
  fileprivate func moves(_ reference: PropertyLayout) -> Bool {
    reference.orderSlot.map { base.slot($0) != row.slot($0) } ?? false
  }
}

extension EntityChanges {
  /// The new rows, whose derived values the store sets; nil where it derives none of them.
  package var ownDerived: (entity: EntityLayout, keys: [Int64])? {
    entity.digest.derived.isEmpty ? nil : (entity, inserted.map(\.key))
  }

  /// The rows of which a derived value counts what was changed, before or afterwards.
  package var counted: [(entity: EntityLayout, keys: [Int64])] {
    entity.digest.toOnes.compactMap { property in
      guard let destination = property.destination,
        destination.entity.properties.contains(where: { $0.counted == destination.inverse })
      else { return nil }
      let updates = updated.lazy.filter { $0.brings(property.index) }
      let rows = inserted.map { $0 } + updates.flatMap { [$0.base, $0.row] } + deleted.map(\.base)
      let keys = rows.lazy.filter { !$0.isNull(property.index) }.map { $0.slot(property.index) }
      return (destination.entity, Array(Set(keys)))
    }
  }
}
