/// The order of a list: by sort values and then by key, so that no two elements are equal in it.
package protocol ListOrder<Element>: Sendable {
  associatedtype Element: ListElement

  /// Whether `a` comes before `b`.
  func precedes(_ a: Element, _ b: Element) -> Bool

  /// Whether two elements of one key say the same, so that nobody need be told of it.
  func hasSameContent(_ a: Element, _ b: Element) -> Bool
}

extension ListOrder {
  package func hasSameContent(_ a: Element, _ b: Element) -> Bool { a.hasSameContent(as: b) }

  /// Whether two elements have the same place in the order: same key, same sort values.
  func isEqual(_ a: Element, _ b: Element) -> Bool { !precedes(a, b) && !precedes(b, a) }
}
