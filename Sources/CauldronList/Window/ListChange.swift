/// What has become of an element that a query may select.
package struct ListChange<Element: ListElement>: Sendable {
  package let key: Int64
  /// The element as it is now; nil if it is gone or not selected.
  package let element: Element?

  package init(_ key: Int64, _ element: Element?) {
    self.key = key
    self.element = element
  }
}
