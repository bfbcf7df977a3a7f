/// How a list is divided: adjacent elements of equal section value form one section.
///
/// The value must be one that the order keeps together. Where it does not, the list says so by
/// ``RepeatedSection``.
package protocol ListSectioning<Element>: Sendable {
  associatedtype Element: ListElement
  /// A number or a name.
  associatedtype Section: Hashable & Sendable

  /// Whether there are sections at all. A list that has none is one section, even when empty.
  var isDivided: Bool { get }

  /// The section value of an element.
  func section(of element: Element) -> Section

  /// Whether two elements have equal section values; worth its own code where making a value costs
  /// more than comparing what it is made from.
  func isTogether(_ a: Element, _ b: Element) -> Bool
}

extension ListSectioning {
  package var isDivided: Bool { true }

  package func isTogether(_ a: Element, _ b: Element) -> Bool { section(of: a) == section(of: b) }
}
