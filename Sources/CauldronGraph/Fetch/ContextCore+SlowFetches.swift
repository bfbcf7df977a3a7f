import CauldronModel
import Dispatch
import Logging

extension ContextCore {
  /// Reads, and tells of it where it has taken long.
  /// - Parameter count: How many rows were found.
  @inline(__always)
  func timed<R>(
    _ entity: EntityLayout, _ read: () throws -> R, _ count: (R) -> Int
  ) rethrows -> R {
    guard let limit = coordinator.slowFetch else { return try read() }
    let began = DispatchTime.now()
    let result = try read()
    let worked = DispatchTime.now().uptimeNanoseconds &- began.uptimeNanoseconds
    if Double(worked) > limit * 1e9 { logSlow(entity, rows: count(result), began) }
    return result
  }

  /// The function that asked is looked for in the background, where nobody waits for it.
  @inline(never)
  private func logSlow(_ entity: EntityLayout, rows: Int, _ began: DispatchTime) {
    let logger = coordinator.logger
    guard logger.logLevel <= .notice else { return }
    let milliseconds = began.milliseconds(to: .now())
    let (entity, context) = (entity.name, name)
    let known = node.place
    let stack = known == nil ? CallStack.current() : nil
    Self.placeFinder.async {
      let place =
        known.map { "at \($0)" } ?? stack?.asking.map { "in \($0)" } ?? "at an unknown place"
      var metadata: Logger.Metadata = [
        "entity": "\(entity)", "worked": "\(milliseconds) ms", "from": "\(place)",
        "context": "\(context)",
      ]
      metadata.note(rows, as: "rows")
      logger.notice(
        "Slow fetch of \(entity): \(milliseconds) ms for \(rows) rows, \(place).",
        metadata: metadata)
    }
  }

  private static let placeFinder = DispatchQueue(label: "cauldron.places", qos: .utility)
}
