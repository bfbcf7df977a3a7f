import Testing

@testable import CauldronList

/// Checks that a difference leads from one snapshot to another, and tells nothing else.
func check<S: ListSectioning<Item>>(
  _ difference: ListDifference, from old: ListSnapshot<Item, S.Section>,
  to new: ListSnapshot<Item, S.Section>, _ sectioning: S, _ comment: Comment
) {
  let before = old.elements
  let after = new.elements
  #expect(difference.replayed(on: before.map(\.key)) == after.map(\.key), comment)
  #expect(difference.replayed(from: old, to: new) == new.groups, comment)
  let collection = difference.collectionDifference { $0 }
  #expect(collection.flatMap(before.map(\.key).applying) == after.map(\.key), comment)

  let former = Dictionary(uniqueKeysWithValues: before.map { ($0.key, $0) })
  let kept = after.enumerated().filter { former[$0.element.key] != nil }
  let differing = kept.filter { former[$0.element.key]?.hasSameContent(as: $0.element) == false }
  #expect(
    Set(differing.map(\.element.key))
      == Set((difference.updates + difference.moves).map(\.key)), comment)
  #expect(difference.updates.count + difference.moves.count == differing.count, comment)
  #expect(difference.deletions.count == before.count - kept.count, comment)
  #expect(difference.insertions.count == after.count - kept.count, comment)
  for step in difference.updates + difference.moves {
    #expect(before[step.from].key == step.key && after[step.to].key == step.key, comment)
  }
  if before.count <= 8 || differing.count <= 8 {
    #expect(
      difference.moves.count == fewestMoves(from: before, to: after, by: sectioning), comment)
  }
}
