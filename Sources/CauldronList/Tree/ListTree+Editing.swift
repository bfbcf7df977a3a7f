extension ListTree {
  /// The tree after edits, each at another place and in the order of the list, and where in this
  /// tree they lie.
  ///
  /// Each node on the way to an edit is made anew once, whatever the number of edits in it: O(k log
  /// n). Where there are many the whole tree is, and gets its room for more again.
  package func applying<Order: ListOrder<Element>>(
    _ edits: [ListEdit<Element>], by order: Order
  ) -> (tree: ListTree, places: [Int]) {
    var merger = TreeMerger(edits: edits, order: order)
    if edits.isEmpty { return (self, []) }
    if edits.count > count / 32 {
      let merged = merger.merge(elements(in: 0..<count), edits.indices, 0)
      return (ListTree(sorted: merged), merger.places)
    }
    let nodes = merger.nodes(root, edits.indices, 0)
    return (ListTree(root: .root(of: nodes)), merger.places)
  }

  /// The tree with one more element.
  package func inserting(_ element: Element, by order: some ListOrder<Element>) -> ListTree {
    applying([.insert(element)], by: order).tree
  }

  /// The tree without an element that it has.
  package func removing(_ element: Element, by order: some ListOrder<Element>) -> ListTree {
    applying([.remove(element)], by: order).tree
  }

  /// The tree with an element in place of one that is equal in the order.
  package func replacing(
    _ old: Element, by new: Element, by order: some ListOrder<Element>
  ) -> ListTree {
    applying([.replace(old, by: new)], by: order).tree
  }
}
