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

extension MaintainedList {
  /// Takes in what has changed: O(k log n), and one sort where k is large. Where it throws, nothing
  /// has changed.
  ///
  /// - Parameter changes: All elements of the query's entities that changed, one of a key; any others
  ///   do no harm. The old elements must still be readable.
  /// - Returns: The keys whose elements are others now, and maybe more: what differences are made
  ///   from. Somebody who takes snapshots gathers them from one to the next.
  package mutating func apply(
    _ changes: some Sequence<ListChange<Order.Element>>
  ) throws(RepeatedSection<Sectioning.Section>) -> [Int64] {
    let edits = edits(changes)
    if edits.isEmpty { return [] }
    let former = (contents, isComplete)
    do {
      contents = try contents.applying(edits, by: order, sectioning)
      return edits.map(\.mark.key) + (try trim())
    } catch {
      (contents, isComplete) = former
      throw error
    }
  }

  /// Takes in what a refill has found, at the state of the world to which the last changes belong.
  ///
  /// - Parameters:
  ///   - elements: The elements behind the last one, in order.
  ///   - isComplete: Whether there are no others behind these.
  /// - Returns: The keys of the elements, as for changes.
  package mutating func append(
    _ elements: [Order.Element], isComplete: Bool
  ) throws(RepeatedSection<Sectioning.Section>) -> [Int64] {
    contents = try contents.applying(elements.map { .insert($0) }, by: order, sectioning)
    self.isComplete = isComplete
    return elements.map(\.key) + (try trim())
  }

  /// Drops what the window does not hold, and then knows no more what lies behind. Returns the keys.
  mutating func trim() throws(RepeatedSection<Sectioning.Section>) -> [Int64] {
    guard let capacity = window.capacity, contents.count > capacity else { return [] }
    let dropped = contents.tree.elements(in: capacity..<contents.count)
    contents = try contents.applying(dropped.map { .remove($0) }, by: order, sectioning)
    isComplete = false
    return dropped.map(\.key)
  }

  private func edits(_ changes: some Sequence<ListChange<Order.Element>>) -> [ListEdit<
    Order.Element
  >] {
    let last = contents.tree.last
    var edits: [ListEdit<Order.Element>] = []
    for change in changes {
      let new = change.element.flatMap { isKnown($0, last: last) ? $0 : nil }
      switch (contents.keys[change.key], new) {
      case (nil, nil): break
      case (nil, let new?): edits.append(.insert(new))
      case (let old?, nil): edits.append(.remove(old))
      case (let old?, let new?):
        if old == new || order.hasSameContent(old, new) { continue }
        if order.isEqual(old, to: new) {
          edits.append(.replace(old, by: new))
        } else {
          edits += [.remove(old), .insert(new)]
        }
      }
    }
    edits.sort { order.precedes($0.mark, $1.mark) }
    assert(
      Set(edits.compactMap(\.old?.key)).count == edits.count { $0.old != nil },
      "A key has changed twice.")
    return edits
  }

  /// Whether an element lies where the list knows everything: not behind the last one that it holds.
  private func isKnown(_ element: Order.Element, last: Order.Element?) -> Bool {
    if isComplete { return true }
    guard let last else { return false }
    return !order.precedes(last, element)
  }
}

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

/// What a list must be given before it is right again: the elements that follow the last one that it
/// holds.
package struct ListRefill<Element: ListElement>: Sendable {
  /// The element behind which they lie; nil if they are the first of all.
  package let last: Element?
  /// How many to fetch, if there are as many.
  package let count: Int
}

/// Which part of a query's result a list shows, and how much more it holds so that it need not ask
/// for rows whenever one goes.
package struct ListWindow: Hashable, Sendable {
  /// How many elements are left out at the front.
  package let offset: Int
  /// The most elements that are shown; nil for all.
  package let limit: Int?
  /// How many elements behind these are held: 64, or as many as are shown if that is more.
  package let buffer: Int

  /// - Parameters:
  ///   - offset: How many elements are left out at the front.
  ///   - limit: The most elements that are shown; nil for all.
  package init(offset: Int = 0, limit: Int? = nil) {
    self.init(offset: offset, limit: limit, buffer: max(64, limit ?? 0))
  }

  init(offset: Int = 0, limit: Int?, buffer: Int) {
    precondition(offset >= 0 && limit ?? 0 >= 0, "An offset or limit is negative.")
    self.offset = offset
    self.limit = limit
    self.buffer = buffer
  }

  /// Everything.
  package static var all: ListWindow { ListWindow() }

  /// How many elements must be held for the list to be right, if there are as many; nil for all.
  package var need: Int? { limit.map { $0.addingClamped(offset) } }

  /// The most elements that are held, and the number to fetch at first; nil for all.
  package var capacity: Int? { need.map { $0.addingClamped(buffer) } }

  /// Which of the elements that are held are shown.
  package func range(of count: Int) -> Range<Int> {
    let start = min(offset, count)
    return start..<min(count, need ?? count)
  }
}

extension Int {
  /// The sum, or the largest number.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
