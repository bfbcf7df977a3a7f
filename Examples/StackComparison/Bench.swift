import Cauldron
import Foundation
import Logging

/// One stack in a file of its own, and the work that is measured on it.
final class Bench: Sendable {
  let layout: StackLayout
  let stack: Stack
  private let folder: URL

  init(_ layout: StackLayout) throws {
    self.layout = layout
    folder = FileManager.default.temporaryDirectory
      .appending(path: "StackComparison-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = StackConfiguration()
    configuration.layout = layout
    configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
    stack = try Stack(storeURL: folder.appending(path: "rows.sqlite"), configuration: configuration)
  }

  func close() throws {
    try stack.close()
    try FileManager.default.removeItem(at: folder)
  }

  /// The context where the layout has work done: the main one, or a new one in the background.
  private func workContext() -> ManagedObjectContext {
    layout == .single ? stack.defaultContext : stack.newBackgroundContext()
  }

  /// Fills the store, in pieces.
  func fill(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: 50_000) {
      try insert(min(50_000, count - start))
    }
  }

  /// Creates rows and saves them to the store.
  func insert(_ count: Int) throws {
    let context = workContext()
    context.performAndWait { Row.insert(count, in: $0) }
    try context.saveAndWait(toPersistentStore: true)
  }

  /// Fetches rows and shows them in the main context.
  /// - Returns: The milliseconds that handing them over took on the main queue, letting go of them
  ///   included; nil where the main context has fetched them itself.
  func fetch(_ count: Int) throws -> Double? {
    var request = FetchRequest<Row>()
    request.limit = count
    if layout == .single {
      let found = try stack.defaultContext.performAndWait { try $0.fetch(request).count }
      guard found == count else { throw WrongCount(found: found, expected: count) }
      return nil
    }
    let result = Handover(try workContext().performAndWait { try $0.fetchResult(request) })
    let main = stack.defaultContext
    return try DispatchQueue.main.sync {
      let start = Clock.now
      let found = result.show(in: main)
      let time = Clock.milliseconds(since: start)
      guard found == count else { throw WrongCount(found: found, expected: count) }
      return time
    }
  }
}

/// Hands a result over so that the main queue is the last one to hold it.
///
/// `@unchecked Sendable` because the two threads take turns.
private final class Handover: @unchecked Sendable {
  private var result: FetchedResult<Row>?

  init(_ result: FetchedResult<Row>) { self.result = result }

  /// Makes the list and lets go of everything.
  func show(in context: ManagedObjectContext) -> Int {
    guard let result = self.result.take() else { return 0 }
    let objects = context.objects(of: result)
    return objects.count
  }
}

struct WrongCount: Error {
  let found: Int
  let expected: Int
}
