import Foundation

/// Reads a window's stream, and keeps what the window would show.
struct BoardReader {
  private(set) var client: BoardClient
  private(set) var replica = Replica()
  private(set) var version = 0
  private(set) var pulse: Pulse?
  /// What was received so far, and can be counted anew.
  var tally = Tally()
  /// What was logged while the stream was read.
  private(set) var log: [SaveLog.Line] = []
  private var events: AsyncThrowingStream<EventStream.Event, any Error>.AsyncIterator

  struct Tally {
    var updates = 0
    var reloads = 0
    var insertions = 0
    var deletions = 0
    var moves = 0
    var changes = 0
  }

  init(_ address: URL) {
    client = BoardClient(address)
    let stream = EventStream(address.appending(path: "events"))
    events = stream.events.makeAsyncIterator()
  }

  /// Reads on until something holds. The heartbeat of the stream makes sure that it is asked.
  /// - Parameter what: What is waited for, for the complaint after a minute.
  mutating func read(until what: String, _ condition: (BoardReader) -> Bool) async throws {
    let began = Date()
    while !condition(self) {
      guard Date().timeIntervalSince(began) < 60 else {
        throw WrongAnswer("After a minute the stream has not told that \(what).")
      }
      guard let event = try await events.next() else {
        throw WrongAnswer("The stream has ended before it told that \(what).")
      }
      try take(event)
    }
  }

  /// Compares what is shown with the server's rows.
  mutating func compare() async throws {
    try replica.compare(with: try await client.rows(of: version, count: replica.count))
  }

  private mutating func take(_ event: EventStream.Event) throws {
    switch event.name {
    case "hello":
      client.page = try JSON.decoder.decode([String: String].self, from: event.data)["page"] ?? ""
    case "list": try take(try JSON.decoder.decode(ListChange.self, from: event.data))
    case "pulse":
      let pulse = try JSON.decoder.decode(Pulse.self, from: event.data)
      log += pulse.log
      self.pulse = pulse
    case "problem":
      let problem = try JSON.decoder.decode([String: String].self, from: event.data)
      throw WrongAnswer("The list is not right: \(problem["text"] ?? "")")
    default: throw WrongAnswer("The stream has an event \"\(event.name)\".")
    }
  }

  private mutating func take(_ change: ListChange) throws {
    guard change.version == version + 1 else {
      throw WrongAnswer("Version \(change.version) came after \(version).")
    }
    version = change.version
    try replica.apply(change)
    tally.updates += 1
    tally.reloads += change.isReload ? 1 : 0
    tally.insertions += change.insertions.count
    tally.deletions += change.deletions.count
    tally.moves += change.moves.count
    tally.changes += change.updates.count
  }
}
