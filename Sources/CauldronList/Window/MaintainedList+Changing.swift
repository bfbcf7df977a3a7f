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
      let new = change.element.flatMap { isKnown($0, last) ? $0 : nil }
      switch (contents.keys[change.key], new) {
      case (nil, nil): break
      case (nil, let new?): edits.append(.insert(new))
      case (let old?, nil): edits.append(.remove(old))
      case (let old?, let new?):
        if old == new || order.hasSameContent(old, new) { continue }
        if order.isEqual(old, new) {
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
  private func isKnown(_ element: Order.Element, _ last: Order.Element?) -> Bool {
    if isComplete { return true }
    guard let last else { return false }
    return !order.precedes(last, element)
  }
}
