import Foundation
import FoundationNetworking
import Synchronization
import TestSupport

/// What a stream of server-sent events has sent so far, as text.
final class EventText: NSObject, URLSessionDataDelegate, Sendable {
  private let received = Mutex(Data())
  private let session = Mutex<URLSession?>(nil)

  /// Connects.
  init(_ url: URL) {
    super.init()
    let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
    self.session.withLock { $0 = session }
    session.dataTask(with: url).resume()
  }

  /// Goes away.
  func close() { session.withLock { $0 }?.invalidateAndCancel() }

  /// Forgets what was sent.
  func forget() { received.withLock { $0 = Data() } }

  /// Waits for some words, and forgets what was sent up to them.
  func wait(for words: String) async throws {
    let end = ContinuousClock.now + .seconds(20 * slack)
    while ContinuousClock.now < end {
      let isThere = received.withLock { received in
        guard let range = received.firstRange(of: Data(words.utf8)) else { return false }
        received = Data(received[range.upperBound...])
        return true
      }
      if isThere { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Silence(description: "The stream has not sent: \(words)")
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    received.withLock { $0 += data }
  }

  private struct Silence: Error, CustomStringConvertible {
    let description: String
  }
}
