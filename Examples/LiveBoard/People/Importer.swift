import Cauldron
import Dispatch
import Synchronization

/// Imports people in the background, one import at a time.
final class Importer: Sendable {
  /// How far an import is.
  struct Progress: Codable, Sendable {
    /// The people that are saved.
    var done: Int
    let total: Int
    /// How long it has taken so far.
    var seconds = 0.0
    var isRunning = true
    /// Why it has ended early.
    var failure: String?
  }

  /// How many people each save carries.
  private static let batch = 2_000
  private let progress = Mutex<Progress?>(nil)

  /// The import that runs or was the last; nil before the first one.
  var current: Progress? { progress.withLock { $0 } }

  /// Begins an import.
  /// - Returns: Whether none was running.
  func start(_ count: Int) -> Bool {
    let mayStart = progress.withLock { progress in
      if progress?.isRunning == true { return false }
      progress = Progress(done: 0, total: count)
      return true
    }
    if mayStart { Task { await run(count) } }
    return mayStart
  }

  private func run(_ count: Int) async {
    let began = DispatchTime.now()
    do {
      var maker = PeopleMaker(seed: began.uptimeNanoseconds)
      for start in stride(from: 0, to: count, by: Self.batch) {
        let size = min(Self.batch, count - start)
        maker = try await save(size, maker)
        note { $0.done = start + size }
      }
    } catch {
      note { $0.failure = "\(error)" }
    }
    note { $0.isRunning = false }

    func note(_ change: (inout Progress) -> Void) {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
      progress.withLock { progress in
        progress?.seconds = seconds
        if progress != nil { change(&progress!) }
      }
    }
  }

  /// Creates people in a child of the main context, and saves them through it to the store.
  private func save(_ size: Int, _ maker: PeopleMaker) async throws -> PeopleMaker {
    let context = ManagedObjectContext.contextWithParent(.default)
    context.name = "Import"
    let maker = try await context.perform { [maker] local throws -> PeopleMaker in
      var maker = maker
      maker.create(size, in: local)
      return maker
    }
    try await context.save(toPersistentStore: true)
    return maker
  }
}
