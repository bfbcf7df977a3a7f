import Cauldron
import Foundation

/// What goes wrong with grace: `swift run ForeignLoop --misuse`.
@MainActor
func misuse(_ loop: Loop) {
  do { _ = try MainQueue.attach() } catch { print("twice: \(error)") }
  DispatchQueue.main.async {
    DispatchQueue.main.async {
      print("after the dialog")
      loop.stop()
    }
    // The dialog's loop is woken, runs nothing, and is not woken again.
    print("within a drain: \(loop.drainWithin())")
  }
  loop.run(atMost: 30)
  DispatchQueue.global().async {
    let message = Result { try MainQueue.attach() }.failureText
    DispatchQueue.main.async {
      print("elsewhere: \(message)")
      loop.stop()
    }
  }
  loop.run(atMost: 30)
}

extension Result {
  fileprivate var failureText: String {
    switch self {
    case .success: "attached"
    case .failure(let error): "\(error)"
    }
  }
}
