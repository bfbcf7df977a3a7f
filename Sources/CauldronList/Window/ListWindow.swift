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
