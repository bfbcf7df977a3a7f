/// One change of a list at one place of its order.
///
/// With `new` alone it inserts, with `old` alone it removes, with both it replaces: then both are
/// equal in the order. An element whose place changes takes two edits.
package struct ListEdit<Element: ListElement>: Sendable {
  package let old: Element?
  package let new: Element?

  package static func insert(_ element: Element) -> Self { Self(old: nil, new: element) }

  package static func remove(_ element: Element) -> Self { Self(old: element, new: nil) }

  package static func replace(_ old: Element, by new: Element) -> Self { Self(old: old, new: new) }

  /// By how much the list grows.
  var growth: Int { (new == nil ? 0 : 1) - (old == nil ? 0 : 1) }

  /// An element that lies where the edit does.
  var mark: Element { (old ?? new).unsafelyUnwrapped }
}
