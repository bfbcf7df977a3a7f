import Cauldron
import Foundation

/// A bar that fills while a store is brought over; where nobody watches, only its end is printed.
struct Bar: Sendable {
  private let isWatched = isatty(1) == 1

  func show(_ progress: MigrationProgress) {
    guard isWatched else { return }
    print("\r\(bar(progress.fraction)) \(progress.phase)   ", terminator: "")
    fflush(nil)
  }

  func end() {
    print(isWatched ? "\r\(bar(1))                    " : bar(1))
  }

  private func bar(_ fraction: Double) -> String {
    let filled = Int(fraction * 30)
    let (done, rest) = (
      String(repeating: "#", count: filled), String(repeating: "·", count: 30 - filled)
    )
    return "[\(done)\(rest)] \(Int(fraction * 100)) %"
  }
}
