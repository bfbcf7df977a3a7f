public import CauldronGraph
public import CauldronModel

extension ObjectGroups {
  /// Values that are gathered from each group, as a context sees them: now, and whenever they change.
  ///
  /// ```swift
  /// for try await cities in Person.grouped(by: \.city).updates(in: context, { ($0.count, $0.max(\.age)) }) {
  ///   for (city, (count, oldest)) in cities { … }
  /// }
  /// ```
  /// - Complexity: One statement in the background after each change of the entities that matter, for at
  ///   most a fifth of the time; with pending changes O(rows).
  public func updates<each Value: AttributeValue>(
    in context: ManagedObjectContext,
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) -> FetchedValueUpdates<(key: (repeat each Key), values: (repeat (each Value)?))> {
    var gathered: [QueryExpression] = []
    let values = build(QueryGroup())
    for value in repeat each values { gathered.append(value.expression) }
    return context.valueUpdates(for: request(gathered)) { scalars in
      var line = LineReader(scalars)
      let key = (repeat try line.next((each Key).self))
      return (key: key, values: (repeat try line.next(Optional<each Value>.self)))
    }
  }

  /// Values that are gathered from each group, as the default context sees them.
  @MainActor
  public func updates<each Value: AttributeValue>(
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) -> FetchedValueUpdates<(key: (repeat each Key), values: (repeat (each Value)?))> {
    updates(in: .default, build)
  }
}

extension ValueSelection {
  /// The lines, as a context sees them: now, and whenever they change.
  /// - Complexity: One statement in the background after each change of the entities that matter, for at
  ///   most a fifth of the time.
  public func updates(
    in context: ManagedObjectContext
  ) -> FetchedValueUpdates<(repeat each Column)> {
    context.valueUpdates(for: request) { try Self.line($0) }
  }

  /// The lines, as the default context sees them: now, and whenever they change.
  @MainActor
  public func updates() -> FetchedValueUpdates<(repeat each Column)> { updates(in: .default) }
}
