@testable import CauldronList

/// Finds the fewest moves by trying all.
///
/// Elements that did not change do not move; one that changed its section does.
func fewestMoves<S: ListSectioning<Item>>(
  from old: [Item], to new: [Item], by sectioning: S
) -> Int {
  let before = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
  let after = Dictionary(uniqueKeysWithValues: new.map { ($0.key, $0) })
  let changed = old.filter { after[$0.key].map($0.hasSameContent) == false }
  let must = changed.filter { item in
    sectioning.isDivided
      && after[item.key].map { sectioning.section(of: $0) != sectioning.section(of: item) } == true
  }
  var fewest = Int.max
  for choice in 0..<1 << changed.count {
    let moved = Set(changed.indices.filter { choice >> $0 & 1 == 1 }.map { changed[$0].key })
    if moved.count >= fewest || !must.allSatisfy({ moved.contains($0.key) }) { continue }
    let stay = old.map(\.key).filter { after[$0] != nil && !moved.contains($0) }
    if stay == new.map(\.key).filter({ before[$0] != nil && !moved.contains($0) }) {
      fewest = moved.count
    }
  }
  return fewest
}
