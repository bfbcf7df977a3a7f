import Cauldron
import Foundation

/// One browser window: its list, what it is sent, and what it edits.
@MainActor final class Page {
  nonisolated let id = UUID().uuidString
  nonisolated let versions = Versions()
  nonisolated let events: AsyncStream<PageEvent>
  /// What is being edited; letting go of it throws the edits away.
  private(set) var session: EditSession?
  private nonisolated let outlet: AsyncStream<PageEvent>.Continuation
  private let list: FetchedResultsController<Person>
  private var observation: FetchedResultsObservation?

  init() {
    // A window that does not keep up loses the oldest events, and sees that by the version.
    (events, outlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    list = FetchedResultsController(
      Person.containing(""), in: .default, sectionBy: .firstLetter(of: \.name),
      reporting: .snapshots)
  }

  /// Fetches the list in the background, and sends each of its versions from then on.
  func open() async throws {
    list.delegate = self
    observation = list.observe { [versions, outlet] snapshot, difference in
      outlet.yield(.list(versions.add(snapshot, difference)))
    }
    try await list.performFetch()
  }

  /// Shows the people in whom a text stands; the list stays as it is until the new one is whole.
  func search(_ text: String) async throws {
    try await list.setQuery(Person.containing(text))
  }

  /// Edits somebody, or nobody.
  func keep(_ session: EditSession?) { self.session = session }

  nonisolated func send(_ event: PageEvent) { outlet.yield(event) }

  /// Calls back when the window is gone.
  nonisolated func onClose(_ block: @escaping @Sendable () -> Void) {
    outlet.onTermination = { _ in block() }
  }

  /// Ends the stream.
  nonisolated func close() { outlet.finish() }
}
