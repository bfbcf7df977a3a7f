/// What becomes of a key: it gets an element, or has none any more.
struct KeyEdit<Element: ListElement>: Sendable {
  let key: UInt64
  let element: Element?

  init(_ key: Int64, _ element: Element?) {
    self.key = UInt64(bitPattern: key)
    self.element = element
  }

  /// Where in its page the key lies.
  var slot: Int { Int(truncatingIfNeeded: key & 511) }
}
