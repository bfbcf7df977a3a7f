package import CauldronModel

/// What a list of rows shows at one moment, with the memory that the rows lie in. It never changes.
package struct RowSnapshot: Sendable {
  private let shown: ListSnapshot<ListedRow, AttributeScalar>
  private let memory: ListMemory
  package let plan: RowPlan

  init(
    _ shown: ListSnapshot<ListedRow, AttributeScalar>, _ memory: ListMemory, _ plan: RowPlan
  ) {
    self.shown = shown
    self.memory = memory
    self.plan = plan
  }

  package var count: Int { shown.count }

  /// Whether two snapshots are one and the same, which costs nothing to ask.
  package func isIdentical(to other: RowSnapshot) -> Bool { shown.isIdentical(to: other.shown) }

  /// Calls `body` with the row at a place: O(log n).
  package func withRow<R>(at place: Int, _ body: (RowPointer) throws -> R) rethrows -> R {
    try withExtendedLifetime(memory) { try body(shown[place].row) }
  }

  /// Calls `body` with the rows of some places, in order.
  package func forEach(in places: Range<Int>, _ body: (RowPointer) throws -> Void) rethrows {
    try withExtendedLifetime(memory) {
      for element in shown.elements(in: places) { try body(element.row) }
    }
  }

  /// The place of a key, if it is shown: O(log n).
  package func place(of key: Int64) -> Int? {
    withExtendedLifetime(memory) { shown.place(of: key, by: RowOrder(plan: plan)) }
  }

  /// Whether a held key has the same row on both sides, or none.
  package func isSame(_ key: Int64, as other: RowSnapshot) -> Bool {
    withExtendedLifetime((memory, other.memory)) {
      switch (shown.contents.keys[key], other.shown.contents.keys[key]) {
      case (nil, nil): true
      case (let a?, let b?): RowOrder(plan: plan).hasSameContent(a, b)
      default: false
      }
    }
  }

  /// The keys that are held on one side alone, or with another row.
  /// - Complexity: O(n) where the two share nothing.
  package func keys(differingFrom other: RowSnapshot) -> [Int64] {
    shown.contents.keys.keys(differingFrom: other.shown.contents.keys)
      .filter { !isSame($0, as: other) }
  }

  /// What has changed since an earlier snapshot of the same order.
  /// - Parameters:
  ///   - touched: The keys of all rows that were touched between, and of any others.
  ///   - marks: The keys of rows that are to be told as updated, though they are the same.
  package func difference(
    from old: RowSnapshot, touched: [Int64], marks: [Int64] = []
  ) -> ListDifference {
    withExtendedLifetime((memory, old.memory)) {
      ListDifference(
        from: old.shown, to: shown, touched: touched, marks: marks, by: RowOrder(plan: plan))
    }
  }

  /// The number of sections that show something; one where the list is not divided.
  package var sectionCount: Int { shown.sectionCount }

  /// The value of a section; nil where the list is not divided.
  package func sectionValue(_ section: Int) -> AttributeScalar? { shown.sectionValue(section) }

  /// The places that a section shows: O(log s).
  package func places(inSection section: Int) -> Range<Int> {
    shown.places(inSection: section)
  }

  /// The section and item of a place: O(log s).
  package func path(of place: Int) -> ListPath { shown.path(of: place) }
}
