/// Where an element lies in a list with sections.
package struct ListPath: Hashable, Comparable, Sendable {
  /// The index of the section.
  package let section: Int
  /// The index of the element in it.
  package let item: Int

  package init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  package static func < (a: ListPath, b: ListPath) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}
