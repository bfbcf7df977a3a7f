import CauldronModel
import CauldronQuery
import CauldronStore
import Dispatch
import Logging

extension ContextCore {
  /// Reads, and tells of it where it has taken long.
  /// - Parameter count: How many rows were found.
  @inline(__always)
  func timed<R>(
    _ query: StoreQuery, _ read: () throws -> R, _ count: (R) -> Int
  ) rethrows -> R {
    guard let limit = coordinator.slowFetch else { return try read() }
    let began = DispatchTime.now()
    let result = try read()
    let worked = DispatchTime.now().uptimeNanoseconds &- began.uptimeNanoseconds
    if Double(worked) > limit * 1e9 { logSlow(query, rows: count(result), began) }
    return result
  }

  /// Names the fetch by its statement. The store is asked for that in the background, so that the caller
  /// does not wait.
  @inline(never)
  private func logSlow(_ query: StoreQuery, rows: Int, _ began: DispatchTime) {
    let logger = coordinator.logger
    guard logger.logLevel <= .notice else { return }
    let milliseconds = began.milliseconds(to: .now())
    let (entity, context, store) = (query.entity.name, name, coordinator.store)
    let place = node.place
    Self.explaining.async {
      let explanation = try? Self.explanation(of: query, store)
      let statement = explanation.map { $0.sql.isEmpty ? $0.plan.joined(separator: "; ") : $0.sql }
      var metadata: Logger.Metadata = [
        "entity": "\(entity)", "worked": "\(milliseconds) ms", "context": "\(context)",
      ]
      metadata["from"] = place.map { "at \($0)" }
      metadata["statement"] = statement.map { "\($0)" }
      metadata.note(rows, as: "rows")
      var message = "Slow fetch of \(entity): \(milliseconds) ms for \(rows) rows"
      if let place { message += " at \(place)" }
      if let statement { message += ": \(statement)" }
      for index in explanation?.missingIndexes ?? [] { message += ". Missing: \(index)" }
      logger.notice("\(message).", metadata: metadata)
    }
  }

  private static func explanation(
    of query: StoreQuery, _ store: any PersistentStore
  ) throws -> QueryExplanation {
    let reader = try store.reader()
    defer { reader.finish() }
    return QueryExplanation(try reader.explain(query))
  }

  private static let explaining = DispatchQueue(label: "cauldron.explaining", qos: .utility)
}
