/// The sectioning of a list that has no sections.
package struct Undivided<Element: ListElement>: ListSectioning {
  package init() {}

  package var isDivided: Bool { false }

  package func section(of element: Element) -> Int32 { 0 }

  package func isTogether(_ a: Element, _ b: Element) -> Bool { true }
}
