extension ListDifference {
  /// The most changes that are told one by one.
  package static var most: Int { 10_000 }

  /// What has changed from one snapshot to another: O(k log n) for k touched keys, whatever happened
  /// between. The lists' other elements are not visited. Both snapshots have the same order.
  ///
  /// - Parameters:
  ///   - touched: The keys of all elements that came, went or changed between, and of any others; a
  ///     key may come more than once. What the list holds counts, not what it shows.
  ///   - marks: The keys of elements that are to be told as updated, though they are the same.
  ///   - most: The number of changes above which there is only a reload.
  package init<Order: ListOrder, Section>(
    from old: ListSnapshot<Order.Element, Section>, to new: ListSnapshot<Order.Element, Section>,
    touched: some Sequence<Int64>, marks: some Sequence<Int64> = EmptyCollection(),
    by order: Order, most: Int = most
  ) {
    var seen: Set<Int64> = []
    let changed = touched.filter { key in
      seen.insert(key).inserted
        && Self.isChanged(old.contents.keys[key], new.contents.keys[key], order)
    }
    // More may have changed than is shown, but not by much: a window holds little more.
    if changed.count > most || abs(old.count - new.count) > most {
      self = .reload
      return
    }
    var finder = DifferenceFinder(old, new, order)
    let others = Set(marks).subtracting(changed)
    finder.find(changed, marks: Array(others), most: most)
    self = finder.difference
  }

  private static func isChanged<Order: ListOrder>(
    _ old: Order.Element?, _ new: Order.Element?, _ order: Order
  ) -> Bool {
    switch (old, new) {
    case (nil, nil): false
    case (let old?, let new?): old != new && !order.hasSameContent(old, new)
    case (nil, _), (_, nil): true
    }
  }
}
