@testable import CauldronList

extension ListSnapshot where Element == Item {
  var keys: [Int64] { elements.map(\.key) }

  /// Sections with what the elements in them are, by paths.
  var groups: [Group<Int64>] {
    (0..<sectionCount).map { section in
      Group(
        name: sectionValue(section).map { "\($0)" } ?? "",
        members: places(inSection: section).map { self[$0].key })
    }
  }
}

/// A section as plain values.
struct Group<Member: Equatable>: Equatable {
  var name: String
  var members: [Member]
}

/// Adjacent elements of equal name.
func groups<S: ListSectioning<Item>>(_ items: [Item], by sectioning: S) -> [Group<Int64>] {
  var groups: [Group<Int64>] = []
  if !sectioning.isDivided { return [Group(name: "", members: items.map(\.key))] }
  for item in items {
    let name = "\(sectioning.section(of: item))"
    if groups.last?.name == name {
      groups[groups.count - 1].members.append(item.key)
    } else {
      groups.append(Group(name: name, members: [item.key]))
    }
  }
  return groups
}
