public import CauldronGraph
public import CauldronModel

extension FetchedResultsSnapshot where Object: ManagedEntity {
  /// The value of an attribute at a place, without a context and without an object.
  ///
  /// ```swift
  /// update.snapshot.value(of: \.name, at: 0)
  /// ```
  /// - Complexity: O(log *n*).
  public func value<Value: AttributeValue>(of path: KeyPath<Object, Value>, at place: Int) -> Value
  {
    values(of: path, in: place..<place + 1)[0]
  }

  /// The values of an attribute, in order.
  ///
  /// ```swift
  /// list.snapshot.values(of: \.name)
  /// ```
  /// - Complexity: O(*n*).
  public func values<Value: AttributeValue>(of path: KeyPath<Object, Value>) -> [Value] {
    values(of: path, in: 0..<count)
  }

  /// The values of an attribute in some places, in order.
  /// - Complexity: O(log *n*) and one for each place.
  public func values<Value: AttributeValue>(
    of path: KeyPath<Object, Value>, in places: Range<Int>
  ) -> [Value] {
    let name = KeyPathTable.name(of: path)
    guard let rows else { return [] }
    var result: [Value] = []
    result.reserveCapacity(places.count)
    rows.forEach(in: places) { row in
      guard let property = rows.plan.layout(of: row).properties.first(where: { $0.name == name })
      else { trap("\(Object.self) has no attribute \"\(name)\".") }
      let index = property.index
      result.append(
        Value._read(
          slot: row.slot(index), row: UnsafePointer(row.words), isNull: row.isNull(index)))
    }
    return result
  }
}
