/// Where an element lies in a list with sections.
public struct ListPath: Hashable, Comparable, Sendable {
  /// The index of the section.
  public let section: Int
  /// The index of the element in it.
  public let item: Int

  /// The item of a section, both counted from 0.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// By section, then by item.
  public static func < (a: ListPath, b: ListPath) -> Bool {
    (a.section, a.item) < (b.section, b.item)
  }
}
