/// All that a list holds at one moment: its elements in order, by key and by section. It never
/// changes.
package struct ListContents<Element: ListElement, Section: Hashable & Sendable>: Sendable {
  /// The elements in order.
  package let tree: ListTree<Element>
  /// The elements by key.
  package let keys: ListKeys<Element>
  /// The sections; nil for a list that is not divided.
  package let sections: ListSections<Section>?

  /// Elements that are in order already: O(n).
  package init<Sectioning: ListSectioning<Element>>(
    sorted elements: [Element], by sectioning: Sectioning
  ) throws(RepeatedSection<Section>) where Sectioning.Section == Section {
    tree = ListTree(sorted: elements)
    keys = ListKeys(elements)
    sections = sectioning.isDivided ? try .of(elements, by: sectioning) : nil
  }

  private init(
    _ tree: ListTree<Element>, _ keys: ListKeys<Element>, _ sections: ListSections<Section>?
  ) {
    self.tree = tree
    self.keys = keys
    self.sections = sections
  }

  package var count: Int { tree.count }

  /// The same after edits, in order and one at a place: O(k log n).
  func applying<Sectioning: ListSectioning<Element>>(
    _ edits: [ListEdit<Element>], by order: some ListOrder<Element>, _ sectioning: Sectioning
  ) throws(RepeatedSection<Section>) -> ListContents where Sectioning.Section == Section {
    if edits.isEmpty { return self }
    let (tree, places) = tree.applying(edits, by: order)
    let sections = try sections?.applying(Self.changes(edits, places, by: sectioning))
    return ListContents(tree, keys.applying(Self.keyChanges(edits)), sections)
  }

  /// What edits are to the sections: nothing, if an element is replaced by one of the same section.
  private static func changes<Sectioning: ListSectioning<Element>>(
    _ edits: [ListEdit<Element>], _ places: [Int], by sectioning: Sectioning
  ) -> [SectionChange<Section>] where Sectioning.Section == Section {
    zip(edits, places).compactMap { edit, place in
      if let old = edit.old, let new = edit.new, sectioning.isTogether(old, new) { return nil }
      return SectionChange(
        place: place, isRemoval: edit.old != nil, inserted: edit.new.map(sectioning.section))
    }
  }

  /// What edits are to the keys: an element that moves is removed at one place and inserted at
  /// another, and stays.
  private static func keyChanges(
    _ edits: [ListEdit<Element>]
  ) -> [(key: Int64, element: Element?)] {
    var changes: [(key: Int64, element: Element?)] = []
    changes.reserveCapacity(edits.count)
    var moved: Set<Int64> = []
    for edit in edits {
      guard let new = edit.new else { continue }
      if edit.old == nil { moved.insert(new.key) }
      changes.append((new.key, new))
    }
    for edit in edits where edit.new == nil {
      if let old = edit.old, !moved.contains(old.key) { changes.append((old.key, nil)) }
    }
    return changes
  }
}
