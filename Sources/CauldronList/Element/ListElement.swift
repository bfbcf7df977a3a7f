/// What a list consists of: a small value that is copied by its bits, usually the address of a row.
///
/// A list keeps no memory that an element points to; who keeps a list keeps that, too.
package protocol ListElement: BitwiseCopyable, Equatable, Sendable {
  /// What an element is known by; no two elements of a list have the same.
  var key: Int64 { get }

  /// Whether another element of the same key says the same, so that nobody need be told of it.
  func hasSameContent(as other: Self) -> Bool
}

extension ListElement {
  package func hasSameContent(as other: Self) -> Bool { self == other }
}

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
  func isEqual(_ a: Element, to b: Element) -> Bool { !precedes(a, b) && !precedes(b, a) }
}

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

/// The sectioning of a list that has no sections.
package struct Undivided<Element: ListElement>: ListSectioning {
  package init() {}

  package var isDivided: Bool { false }

  package func section(of element: Element) -> Int32 { 0 }

  package func isTogether(_ a: Element, _ b: Element) -> Bool { true }
}

/// What is wrong where elements of equal section value do not follow each other: the order and the
/// sections of the list do not fit.
package struct RepeatedSection<Value: Hashable & Sendable>: Error, Hashable {
  /// The value that two sections would have.
  package let value: Value
  /// The value of the section before the second of them, which keeps both apart.
  package let between: Value
}
