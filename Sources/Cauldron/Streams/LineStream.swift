import CauldronGraph
import CauldronModel
import CauldronQuery

/// The lines of a selection, one after the other, read page by page in the background; `stream` of a
/// selection makes it.
public struct LineStream<Line>: AsyncSequence, Sendable {
  private let begin: @Sendable () -> @Sendable () async throws -> Line?

  init(_ begin: @escaping @Sendable () -> @Sendable () async throws -> Line?) {
    self.begin = begin
  }

  /// Goes through the lines.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let step: @Sendable () async throws -> Line?

    /// The next line; nil at the end.
    /// - Throws: `query.…`, `store.…`, `CancellationError`.
    public mutating func next() async throws -> Line? { try await step() }
  }

  /// Begins with the first line.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: begin()) }
}

extension ValueSelection {
  /// The committed lines, one after the other, read page by page in the background.
  ///
  /// ```swift
  /// for try await (name, age) in Person.select(\.name, \.age).stream() { … }
  /// ```
  /// Cancelling the task ends the statement that runs, and throws `CancellationError`.
  /// - Parameters:
  ///   - pageSize: How many lines a page has; 500 by default.
  ///   - stack: Whose store; nil for the default one.
  /// - Throws: Each step: `query.…`, `store.…`; `query.unsupported` for distinct lines.
  public func stream(
    pageSize: Int = 500, in stack: Stack? = nil
  ) -> LineStream<Line> {
    let (request, shape, stack) = (request, shape, stack ?? .default)
    return LineStream {
      let reader = LineReading(request, pageSize, stack)
      return { try await reader.next().map(shape.line) }
    }
  }
}

/// Reads the lines of a stream, one step at a time.
private actor LineReading<Object: ManagedEntity> {
  private var pages: FetchPages<Object>
  private let columns: [QueryExpression]
  private let isDistinct: Bool
  private let stack: Stack
  private var page: ArraySlice<[AttributeScalar]> = []

  init(_ request: ValueRequest<Object>, _ pageSize: Int, _ stack: Stack) {
    pages = FetchPages(request.objects, size: pageSize)
    columns = request.columns
    isDistinct = request.isDistinct
    self.stack = stack
  }

  func next() async throws -> [AttributeScalar]? {
    if isDistinct {
      throw CauldronError(
        .queryUnsupported, "\(Object.self): distinct lines cannot be streamed.",
        hint: "Fetch them.")
    }
    try Task.checkCancellation()
    if let line = page.popFirst() { return line }
    let (pages, columns) = (pages, columns)
    let context = ManagedObjectContext(.private, coordinator: stack.coordinator, name: "Stream")
    let (lines, rest) = try await context.performCancellably { local in
      var pages = pages
      let lines = try pages.nextValues(columns, in: local.context)
      return (lines, pages)
    }
    self.pages = rest
    page = (lines ?? [])[...]
    return page.popFirst()
  }
}
