@testable import CauldronList

extension ListDifference {
  /// What becomes of keys if the difference is carried out as lists on a screen do it: removals by
  /// old place from behind, then insertions by new place from the front; a move is both.
  func replayed(on keys: [Int64]) -> [Int64] {
    var keys = keys
    let gone = deletions.map { ($0.key, $0.place) } + moves.map { ($0.key, $0.from) }
    for (key, place) in gone.sorted(by: { $0.1 > $1.1 }) {
      if keys[place] == key { keys.remove(at: place) }
    }
    let come = insertions.map { ($0.key, $0.place) } + moves.map { ($0.key, $0.to) }
    for (key, place) in come.sorted(by: { $0.1 < $1.1 }) { keys.insert(key, at: place) }
    return keys
  }

  /// The same by sections and items. Nil if a section that goes is not empty by then.
  func replayed<Section>(
    from old: ListSnapshot<Item, Section>, to new: ListSnapshot<Item, Section>
  ) -> [Group<Int64>]? {
    var groups = old.groups
    for place in (deletions.map(\.place) + moves.map(\.from)).sorted(by: >) {
      let path = old.path(of: place)
      groups[path.section].members.remove(at: path.item)
    }
    for section in sectionDeletions.reversed() {
      if !groups.remove(at: section).members.isEmpty { return nil }
    }
    for section in sectionInsertions {
      let name = new.sectionValue(section).map { "\($0)" } ?? ""
      groups.insert(Group(name: name, members: []), at: section)
    }
    let come = insertions.map { ($0.key, $0.place) } + moves.map { ($0.key, $0.to) }
    for (key, place) in come.sorted(by: { $0.1 < $1.1 }) {
      let path = new.path(of: place)
      groups[path.section].members.insert(key, at: path.item)
    }
    return groups
  }
}
