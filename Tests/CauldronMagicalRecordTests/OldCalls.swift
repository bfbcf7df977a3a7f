import Cauldron
import CauldronMagicalRecord
import CauldronTesting
import Foundation
import TestSupport
import Testing

/// The suites of the old calls. The handler is the process's, so that they run one after the other; each test
/// has a stack of its own, with three sailors.
@Suite(.againstHanging, .serialized, .stack(.crew, entities: Sailor.self, Ship.self, Cargo.self))
struct OldCalls {
  /// The errors that the handler is told of while a closure runs.
  static func errors(_ body: () throws -> Void) rethrows -> [CauldronError] {
    let told = Locked<[CauldronError]>([])
    MagicalRecord.errorHandler = { error in
      if let error = error as? CauldronError { told.withLock { $0.append(error) } }
    }
    defer { MagicalRecord.errorHandler = nil }
    try body()
    return told.withLock { $0 }
  }

  /// The same for what waits.
  @MainActor
  static func errorsMeanwhile(_ body: @MainActor () async throws -> Void) async rethrows
    -> [CauldronError]
  {
    let told = Locked<[CauldronError]>([])
    MagicalRecord.errorHandler = { error in
      if let error = error as? CauldronError { told.withLock { $0.append(error) } }
    }
    defer { MagicalRecord.errorHandler = nil }
    try await body()
    return told.withLock { $0 }
  }
}

extension Fixture {
  static let crew = Fixture { context in
    let argo = Ship.create(in: context)
    argo.name = "Argo"
    for (name, age, crew) in [("Ann", 30, "red"), ("Bob", 20, "blue"), ("Cyd", 40, "red")] {
      let sailor = Sailor.create(in: context)
      sailor.name = name
      sailor.age = age
      sailor.crew = crew
      sailor.born = Date(timeIntervalSinceReferenceDate: Double(-age))
      sailor.pay = Decimal(age)
      sailor.ship = name == "Ann" ? argo : nil
    }
  }
}

extension Sequence where Element == Sailor {
  /// The names, in order.
  var names: String { map(\.name).joined(separator: " ") }
}
