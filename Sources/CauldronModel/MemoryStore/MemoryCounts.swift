/// How many rows refer to each row of which a derived attribute counts them.
struct MemoryCounts: Sendable {
  /// A derived attribute, and the reference whose rows it counts.
  struct Derived: Sendable {
    unowned(unsafe) let owner: EntityLayout
    let property: Int
    unowned(unsafe) let counted: EntityLayout
    let reference: Int

    /// The row that a row refers to.
    fileprivate func target(of row: RowPointer?) -> Int64? {
      guard let row, counted.includes(row.entityNumber), !row.isNull(reference) else { return nil }
      return row.slot(reference)
    }
  }

  let derived: [Derived]
  /// By the attribute's position, and the key of the row that is referred to.
  private var numbers: [[Int64: Int64]]
  /// The rows whose numbers may be others than before.
  private var changed: [Set<Int64>]

  init(_ model: ManagedObjectModel) {
    derived = model.entityLayouts.flatMap { layout in
      layout.ownProperties.compactMap { property in
        guard let counted = property.counted,
          let destination = layout.properties[counted].destination
        else { return nil }
        return Derived(
          owner: layout, property: property.index, counted: destination.entity,
          reference: destination.inverse)
      }
    }
    numbers = derived.map { _ in [:] }
    changed = derived.map { _ in [] }
  }

  /// Takes in that a row has come in the place of another one, or of none.
  mutating func note(_ key: Int64, in root: Int32, _ old: RowPointer?, _ new: RowPointer?) {
    for (position, attribute) in derived.enumerated() {
      if attribute.owner.rootNumber == root, new != nil { changed[position].insert(key) }
      guard attribute.counted.rootNumber == root else { continue }
      let (before, after) = (attribute.target(of: old), attribute.target(of: new))
      if before == after { continue }
      for (target, step) in [(before, Int64(-1)), (after, 1)] {
        guard let target else { continue }
        numbers[position][target, default: 0] += step
        changed[position].insert(target)
      }
    }
  }

  /// The rows to look at, by attribute, with the numbers that they should have.
  mutating func takeChanged() -> [(derived: Derived, numbers: [(key: Int64, number: Int64)])] {
    defer { changed = derived.map { _ in [] } }
    return derived.indices.map { position in
      let keys = changed[position].sorted()
      return (derived[position], keys.map { ($0, numbers[position][$0] ?? 0) })
    }
  }
}
