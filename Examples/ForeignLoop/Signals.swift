import Cauldron
import Foundation

/// Caught signals come while the loop waits; what is sent to the main queue afterwards runs still.
@MainActor
func interrupt(_ loop: Loop) {
  signal(SIGUSR1) { _ in }
  let waiting = pthread_self()
  DispatchQueue.global().async {
    for _ in 0..<5 {
      usleep(40_000)
      pthread_kill(waiting, SIGUSR1)
    }
    usleep(40_000)
    DispatchQueue.main.async { loop.stop() }
  }
  print(loop.run() ? "signals have not ended the loop" : "a signal has ended the loop")
}
