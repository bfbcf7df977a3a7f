import CauldronGraph
import CauldronLedger
import CauldronModel
import CauldronStore
import Logging

/// How many objects and links a save has inserted, updated and deleted.
struct SavedCounts {
  private(set) var inserted = 0
  private(set) var updated = 0
  private(set) var deleted = 0
  private(set) var links = 0

  init() {}

  /// What a save had to save, whichever save has written it.
  init(_ summary: SaveSummary) {
    inserted = summary.inserted
    updated = summary.updated
    deleted = summary.deleted
    links = summary.links
  }

  /// What the layers do as a whole: an object that one inserts and another updates is inserted.
  /// - Complexity: O(entities) for one layer; of several, O(rows) of the tables of which a row is updated or
  ///   deleted.
  init(_ layers: [Layer]) {
    self.init()
    let sets = layers.flatMap(\.changes.entities)
    let changed = layers.count > 1 ? Self.tables(changedBy: sets) : []
    var fates = RowFates()
    for set in sets {
      if changed.contains(set.entity.rootNumber) { fates.add(set) } else { add(set) }
    }
    add(fates)
  }

  /// The tables of which rows are not only inserted.
  private static func tables(changedBy sets: [EntityChanges]) -> Set<Int32> {
    Set(sets.lazy.filter { !$0.updated.isEmpty || !$0.deleted.isEmpty }.map(\.entity.rootNumber))
  }

  private mutating func add(_ changes: EntityChanges) {
    if changes.entity.isJoin {
      links += changes.count
      return
    }
    inserted += changes.inserted.count
    updated += changes.updated.count
    deleted += changes.deleted.count
  }

  private mutating func add(_ fates: RowFates) {
    for (kind, isLink) in fates.changes {
      switch kind {
      case _ where isLink: links += 1
      case .insertion: inserted += 1
      case .update: updated += 1
      case .deletion: deleted += 1
      }
    }
  }

  /// What there is, as a log line says it: `1 inserted, 3 links`; empty where there is nothing.
  var text: String {
    let parts = [(inserted, "inserted"), (updated, "updated"), (deleted, "deleted")]
      .filter { $0.0 > 0 }.map { "\($0) \($1)" }
    return (parts + (links > 0 ? ["\(links) link\(links == 1 ? "" : "s")"] : []))
      .joined(separator: ", ")
  }

  /// The same for a line's metadata.
  func note(in metadata: inout Logger.Metadata) {
    metadata.note(inserted, as: "inserted")
    metadata.note(updated, as: "updated")
    metadata.note(deleted, as: "deleted")
    metadata.note(links, as: "links")
  }
}

/// What change sets do to rows as a whole, in their order: a row that one inserts and another updates is
/// inserted, and of one that is inserted and deleted nothing is left.
struct RowFates {
  private struct Row: Hashable {
    let root: Int32
    let isLink: Bool
    let key: Int64
  }

  /// Whether a row is there before the first change and after the last one.
  private struct Fate {
    let wasThere: Bool
    var isThere: Bool
  }

  private var fates: [Row: Fate] = [:]

  /// - Complexity: O(changed rows).
  mutating func add(_ changes: ChangeSet) {
    for set in changes.entities { add(set) }
  }

  /// - Complexity: O(changed rows).
  mutating func add(_ changes: EntityChanges) {
    let (root, isLink) = (changes.entity.rootNumber, changes.entity.isJoin)
    func note(_ key: Int64, wasThere: Bool, isThere: Bool) {
      let fate = Fate(wasThere: wasThere, isThere: isThere)
      fates[Row(root: root, isLink: isLink, key: key), default: fate].isThere = isThere
    }
    for row in changes.inserted { note(row.key, wasThere: false, isThere: true) }
    for update in changes.updated { note(update.row.key, wasThere: true, isThere: true) }
    for deletion in changes.deleted { note(deletion.key, wasThere: true, isThere: false) }
  }

  /// How many rows are changed, links among them.
  var count: Int { fates.values.count { $0.wasThere || $0.isThere } }

  /// What became of each changed row.
  var changes: some Sequence<(kind: RowChange.Kind, isLink: Bool)> {
    fates.lazy.compactMap { row, fate in
      switch (fate.wasThere, fate.isThere) {
      case (false, false): nil
      case (false, true): (.insertion, row.isLink)
      case (true, true): (.update, row.isLink)
      case (true, false): (.deletion, row.isLink)
      }
    }
  }
}
