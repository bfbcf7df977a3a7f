// swift-format-ignore-file: AmbiguousTrailingClosureOverload

public import CauldronGraph
public import CauldronLive
public import CauldronModel
import CauldronQuery

extension ObjectQuery {
  /// The states of the list of the query's objects in a context, one after the other, each when it is asked
  /// for.
  ///
  /// ```swift
  /// for try await update in Person.where(\.age >= 18).sorted(by: \.name).updates(in: context) {
  ///   draw(update.snapshot, update.difference)
  /// }
  /// ```
  /// - Parameters:
  ///   - context: Where the list lives; kept.
  ///   - section: What divides the list; nothing by default.
  public func updates(
    in context: ManagedObjectContext, sectionBy section: SectionKey<Object>? = nil
  ) -> FetchedResultsUpdates<Object> {
    context.updates(for: request, sectionBy: section)
  }

  /// The states of the list of the query's objects in the default context.
  @MainActor
  public func updates(
    sectionBy section: SectionKey<Object>? = nil
  ) -> FetchedResultsUpdates<Object> { updates(in: .default, sectionBy: section) }

  /// How many objects there are in a context, in the window: now, and whenever that changes.
  ///
  /// ```swift
  /// for try await n in Message.where(\.isRead == false).counts(in: context) { badge(n) }
  /// ```
  public func counts(in context: ManagedObjectContext) -> FetchedResultsCounts<Object> {
    context.counts(for: request)
  }

  /// How many objects there are in the default context, in the window: now, and whenever that changes.
  @MainActor
  public func counts() -> FetchedResultsCounts<Object> { counts(in: .default) }
}

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
  ) -> FetchedValueUpdates<(key: Key, values: (repeat (each Value)?))> {
    var gathered: [QueryExpression] = []
    let values = build(QueryGroup())
    for value in repeat each values { gathered.append(value.expression) }
    let shape = shape
    return context.valueUpdates(for: request(gathered)) { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, values: (repeat try line.next(Optional<each Value>.self)))
    }
  }

  /// A value that is gathered from each group and may be nil, as a context sees it.
  public func updates<Value: AttributeValue>(
    in context: ManagedObjectContext,
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) -> FetchedValueUpdates<(key: Key, values: Value?)> {
    let shape = shape
    return context.valueUpdates(for: request([build(QueryGroup()).expression])) { scalars in
      var line = LineReader(scalars)
      let key = try shape.read(&line)
      return (key: key, values: try line.next(Value?.self))
    }
  }

  /// A value that is gathered from each group and may be nil, as the default context sees it.
  @MainActor
  public func updates<Value: AttributeValue>(
    _ build: (QueryGroup<Object>) -> QueryValue<Object, Value>
  ) -> FetchedValueUpdates<(key: Key, values: Value?)> { updates(in: .default, build) }

  /// Values that are gathered from each group, as the default context sees them.
  @MainActor
  public func updates<each Value: AttributeValue>(
    _ build: (QueryGroup<Object>) -> (repeat QueryValue<Object, each Value>)
  ) -> FetchedValueUpdates<(key: Key, values: (repeat (each Value)?))> {
    updates(in: .default, build)
  }
}

extension ValueSelection {
  /// The lines, as a context sees them: now, and whenever they change.
  /// - Complexity: One statement in the background after each change of the entities that matter, for at
  ///   most a fifth of the time.
  public func updates(
    in context: ManagedObjectContext
  ) -> FetchedValueUpdates<Line> {
    context.valueUpdates(for: request, line: shape.line)
  }

  /// The lines, as the default context sees them: now, and whenever they change.
  @MainActor
  public func updates() -> FetchedValueUpdates<Line> { updates(in: .default) }
}
