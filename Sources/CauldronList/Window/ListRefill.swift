/// What a list must be given before it is right again: the elements that follow the last one that it
/// holds.
package struct ListRefill<Element: ListElement>: Sendable {
  /// The element behind which they lie; nil if they are the first of all.
  package let last: Element?
  /// How many to fetch, if there are as many.
  package let count: Int
}
