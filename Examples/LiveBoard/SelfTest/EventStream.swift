import Foundation
import FoundationNetworking
import Synchronization

/// A stream of server-sent events, as an HTTP client receives it.
final class EventStream: NSObject, URLSessionDataDelegate, Sendable {
  struct Event: Sendable {
    let name: String
    let data: Data
  }

  let events: AsyncThrowingStream<Event, any Error>
  private let outlet: AsyncThrowingStream<Event, any Error>.Continuation
  private let received = Mutex(Data())

  /// Connects.
  init(_ url: URL) {
    (events, outlet) = AsyncThrowingStream.makeStream()
    super.init()
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    let task = session.dataTask(with: url)
    outlet.onTermination = { _ in
      task.cancel()
      session.invalidateAndCancel()
    }
    task.resume()
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received.withLock { received in
      received.append(data)
      while let end = received.firstRange(of: Data("\n\n".utf8)) {
        if let event = Event(received[..<end.lowerBound]) { outlet.yield(event) }
        received.removeSubrange(..<end.upperBound)
      }
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    outlet.finish(throwing: error)
  }
}

extension EventStream.Event {
  /// Reads the lines of an event; those that are none are left out.
  fileprivate init?(_ lines: Data) {
    var fields: [String: String] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      if parts.count == 2 { fields[String(parts[0])] = String(parts[1]) }
    }
    guard let name = fields["event"], let data = fields["data"] else { return nil }
    (self.name, self.data) = (name, Data(data.utf8))
  }
}
