/// The result of a query, kept right by being told of each element that changes, and of no others.
///
/// It has one writer. What it hands out are snapshots, which stay as they are.
package struct MaintainedList<Order: ListOrder, Sectioning: ListSectioning>: Sendable
where Order.Element == Sectioning.Element {

  package let order: Order
  package let sectioning: Sectioning
  package let window: ListWindow
  /// The first elements of the result, or all of them.
  package internal(set) var contents: ListContents<Order.Element, Sectioning.Section>
  /// Whether the contents are all of the result. Otherwise nothing is known of what lies behind the
  /// last of them.
  package internal(set) var isComplete: Bool

  /// - Parameters:
  ///   - elements: The first elements of the result, in order: as many as the window's `capacity`.
  ///   - isComplete: Whether these are all.
  package init(
    sorted elements: [Order.Element], isComplete: Bool, window: ListWindow = .all, by order: Order,
    _ sectioning: Sectioning
  ) throws(RepeatedSection<Sectioning.Section>) {
    assert(isComplete || window.limit != nil, "A list without a limit holds everything.")
    self.order = order
    self.sectioning = sectioning
    self.window = window
    self.isComplete = isComplete
    contents = try ListContents(sorted: elements, by: sectioning)
    _ = try trim()
  }

  /// What the list shows. It is the query's result only while there is nothing to refill.
  package var snapshot: ListSnapshot<Order.Element, Sectioning.Section> {
    ListSnapshot(contents, range: window.range(of: contents.count))
  }

  /// What must be appended before the list is right again; nil if it is.
  package var refill: ListRefill<Order.Element>? {
    guard !isComplete, let need = window.need, let capacity = window.capacity,
      contents.count < need
    else { return nil }
    return ListRefill(last: contents.tree.last, count: capacity - contents.count)
  }
}
