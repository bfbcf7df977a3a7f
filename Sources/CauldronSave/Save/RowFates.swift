import CauldronModel
import CauldronStore

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
