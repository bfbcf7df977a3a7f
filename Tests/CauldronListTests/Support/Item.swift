import CauldronList

/// An element of a test's list.
struct Item: ListElement, Hashable, CustomStringConvertible {
  var key: Int64
  /// What it is sorted by.
  var value: Int32 = 0
  /// Other content.
  var text: Int32 = 0
  /// No content: tells copies apart, as addresses do.
  var stamp: Int32 = 0

  func hasSameContent(as other: Item) -> Bool { value == other.value && text == other.text }

  /// The same without what is no content.
  var plain: Item { Item(key: key, value: value, text: text) }

  var description: String { "\(key):\(value).\(text)" }
}

/// By value, then by key.
struct ItemOrder: ListOrder {
  var ascending = true

  func precedes(_ a: Item, _ b: Item) -> Bool {
    a.value == b.value ? a.key < b.key : (a.value < b.value) == ascending
  }
}

/// One section for some adjacent values.
struct ItemSections: ListSectioning {
  var width: Int32 = 10

  func section(of element: Item) -> Int32 { element.value / width }
}

/// The same by name, and compared without making names.
struct NamedSections: ListSectioning {
  var width: Int32 = 10

  func section(of element: Item) -> String { "from \(element.value / width * width)" }

  func isTogether(_ a: Item, _ b: Item) -> Bool { a.value / width == b.value / width }
}
