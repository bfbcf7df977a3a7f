import FlyingSocks

/// The bytes of a page's events; each event goes out when it comes.
struct EventBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: AsyncStream<PageEvent>

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate var events: AsyncStream<PageEvent>.Iterator
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(events: AsyncStream<PageEvent>.Iterator) { self.events = events }

    mutating func next() async throws -> UInt8? {
      if rest.isEmpty { rest = try await nextBuffer(suggested: .max) ?? [] }
      return rest.popFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty { rest = try await events.next()?.encoded()[...] ?? [] }
      if rest.isEmpty { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}
