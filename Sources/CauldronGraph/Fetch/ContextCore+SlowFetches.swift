import CauldronModel
import Dispatch
import Logging
import Runtime

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

  /// The line that asked is looked for in the background, where nobody waits for it.
  @inline(never)
  private func logSlow(_ entity: EntityLayout, rows: Int, _ began: DispatchTime) {
    let logger = coordinator.logger
    guard logger.logLevel <= .notice else { return }
    let milliseconds = began.milliseconds(to: .now())
    let (entity, context) = (entity.name, name)
    let known = node.place
    let trace = known == nil ? try? Backtrace.capture(limit: 64) : nil
    Self.placeFinder.async {
      let place = known ?? trace.flatMap(Self.knownPlace) ?? "a place that is not known"
      logger.notice(
        "Slow fetch of \(entity): \(milliseconds) ms for \(rows) rows, at \(place).",
        metadata: [
          "entity": "\(entity)", "rows": "\(rows)", "worked": "\(milliseconds) ms",
          "at": "\(place)", "context": "\(context)",
        ])
    }
  }

  private static let placeFinder = DispatchQueue(label: "cauldron.places", qos: .utility)

  /// How the names of the library's own functions begin.
  private static let own = [
    "$s8Cauldron", "$s13CauldronModel", "$s13CauldronGraph", "$s14CauldronSQLite",
  ]

  /// The places of the fetches that were slow before: to find one out, the program's debug information is
  /// read, which takes longer than most fetches.
  private static let places = Locked<[[String]: String]>([:])

  private static func knownPlace(_ trace: Backtrace) -> String? {
    let addresses = trace.frames.map { "\($0.adjustedProgramCounter)" }
    if let known = places.withLock({ $0[addresses] }) { return known }
    let found = place(trace)
    places.withLock { places in
      if places.count > 256 { places = [:] }
      places[addresses] = found
    }
    return found
  }

  /// The first line outside the library, as far as the program tells.
  private static func place(_ trace: Backtrace) -> String? {
    guard let frames = trace.symbolicated()?.frames else { return nil }
    // What a macro has written stands in no file of the program's.
    let symbols = frames.compactMap(\.symbol).filter {
      $0.sourceLocation?.path.contains("@__swiftmacro") != true
    }
    let asking = symbols.first { symbol in
      !own.contains { symbol.rawName.hasPrefix($0) } && symbol.rawName.hasPrefix("$s")
        || symbol.rawName == "main"
    }
    guard let asking else { return nil }
    guard let source = asking.sourceLocation, source.line > 0 else { return asking.name }
    let file = source.path.split(separator: "/").suffix(2).joined(separator: "/")
    return "\(file):\(source.line)"
  }
}
