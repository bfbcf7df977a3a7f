import Cauldron
import Foundation

/// A main loop around `poll`, in the place of GTK's, Qt's or a game's.
@MainActor
final class Loop {
  private let main: MainQueue.Attachment
  private var isDone = false
  /// How often there was something to run.
  private(set) var wakeUps = 0

  init() throws { main = try MainQueue.attach() }

  /// Runs until `stop()`, for at most some seconds.
  func run(atMost seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    isDone = false
    while !isDone, ContinuousClock.now < end { turn(end - .now) }
  }

  /// Runs until `stop()`, for as long as that takes. A signal that is caught interrupts `poll`, and
  /// does not end the loop.
  /// - Returns: Whether it was stopped.
  func run() -> Bool {
    var place = pollfd(fd: main.fileDescriptor, events: Int16(POLLIN), revents: 0)
    isDone = false
    while !isDone, poll(&place, 1, -1) >= 0 || errno == EINTR { main.drain() }
    return isDone
  }

  func stop() { isDone = true }

  /// Waits for something to run, for a while, and runs it.
  private func turn(_ patience: Duration) {
    var place = pollfd(fd: main.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&place, 1, Int32(max(1, patience / .milliseconds(1)))) > 0 else { return }
    wakeUps += 1
    main.drain()
  }

  /// Drains from within a drain, as the loop of a dialog would; answers whether that ran anything.
  func drainWithin() -> Bool { main.drain() }
}
