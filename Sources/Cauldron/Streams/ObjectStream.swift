public import CauldronGraph
import CauldronModel

/// The objects of a query in the default context, one after the other, read page by page in the
/// background.
///
/// ```swift
/// for try await person in Person.where(\.isActive).sorted(by: \.name).stream() { print(person.name) }
/// ```
/// No more than a page is in memory, with what the program holds. Each page is read behind the last
/// object of the one before: an object that is changed meanwhile comes once or not at all, never twice,
/// unless what it is sorted by was changed. Cancelling the task ends the statement that runs, and throws
/// `CancellationError`.
public struct ObjectStream<Object: ManagedEntity>: Sendable {
  private let request: FetchRequest<Object>
  private let pageSize: Int

  init(_ request: FetchRequest<Object>, pageSize: Int) {
    self.request = request
    self.pageSize = pageSize
  }

  /// Goes through the objects.
  public struct AsyncIterator {
    private var pages: FetchPages<Object>
    private var page: FetchedObjects<Object>?
    private var position = 0

    fileprivate init(_ pages: FetchPages<Object>) { self.pages = pages }

    /// The next object; nil at the end.
    /// - Throws: `query.…`, `store.…`, `CancellationError`.
    @MainActor
    public mutating func next() async throws -> Object? {
      while true {
        try Task.checkCancellation()
        if let page, position < page.count {
          defer { position += 1 }
          return page[position]
        }
        let pages = pages
        let (result, rest) = try await ObjectQuery<Object>.reading { context in
          var pages = pages
          let result = try pages.next(in: context.context)
          return (result, pages)
        }
        self.pages = rest
        guard let result else { return nil }
        page = ManagedObjectContext.default.objects(of: result)
        position = 0
      }
    }
  }
}

extension ObjectStream.AsyncIterator: @MainActor AsyncIteratorProtocol {}

extension ObjectStream: @MainActor AsyncSequence {
  /// Begins with the first object.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(FetchPages(request, size: pageSize))
  }
}

extension ObjectQuery {
  /// The objects in the default context, one after the other, read page by page in the background.
  /// - Parameter pageSize: How many objects a page has; 500 by default.
  @MainActor
  public func stream(pageSize: Int = 500) -> ObjectStream<Object> {
    ObjectStream(request, pageSize: pageSize)
  }

  /// Calls a closure with each object in a context, which are read page by page, and let go of where the
  /// closure keeps none.
  ///
  /// ```swift
  /// try await background.perform { context in
  ///   try Person.where(\.isActive).forEach(in: context) { person in send(person.name) }
  /// }
  /// ```
  /// - Parameters:
  ///   - pageSize: How many objects a page has; 500 by default.
  ///   - context: The context to read in.
  ///   - body: Is given each object.
  /// - Throws: What the closure throws, which ends it; `query.…`, `store.…`.
  /// - Complexity: A statement for each page. Where the query is sorted by what no index has, each one
  ///   looks at all objects.
  public func forEach(
    pageSize: Int = 500, in context: some ObjectContext, _ body: (Object) throws -> Void
  ) throws {
    let context = context.managedObjectContext
    var pages = FetchPages(request, size: pageSize)
    while let result = try pages.next(in: context) {
      for object in context.objects(of: result) { try body(object) }
      context.dropUnused()
    }
  }
}
