/// The elements of a list by key, in pages of 512 keys: a persistent tree of bits.
///
/// It is a value that never changes. An edit makes another one that shares all pages but those of
/// the keys that were edited.
package struct ListKeys<Element: ListElement>: Sendable {
  let root: KeyNode<Element>?

  init(root: KeyNode<Element>?) { self.root = root }

  /// The elements by their keys, in any order: O(n).
  package init(_ elements: [Element]) {
    var edits = elements.map { KeyEdit($0.key, $0) }
    edits.sortByKey()
    root = KeyNode.applying(edits[...], to: nil)
  }

  package var count: Int { root?.count ?? 0 }

  /// The element of a key: a step for each 6 bits by which keys differ.
  package subscript(key: Int64) -> Element? {
    let key = UInt64(bitPattern: key)
    var node = root
    while case .branch(let branch) = node { node = branch.child(for: key) }
    guard case .page(let page) = node else { return nil }
    return page.element(key)
  }

  /// The same with other elements for keys, or none for a key; each key comes once.
  package func applying(_ changes: some Sequence<(key: Int64, element: Element?)>) -> ListKeys {
    var edits = changes.map { KeyEdit($0.key, $0.element) }
    edits.sortByKey()
    return ListKeys(root: edits.isEmpty ? root : KeyNode.applying(edits[...], to: root))
  }
}
