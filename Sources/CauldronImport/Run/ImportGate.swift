package import CauldronGraph
import CauldronModel

/// Has imports wait for one another that match by attributes which nothing keeps unique: otherwise two of them
/// would each create what the other has not saved yet.
package actor ImportGate {
  package static let shared = ImportGate()

  private struct Place: Hashable, Comparable {
    let coordinator: ObjectIdentifier
    let entity: Int32

    static func < (a: Place, b: Place) -> Bool { a.entity < b.entity }
  }

  private var busy: Set<Place> = []
  private var waiting: [Place: [CheckedContinuation<Void, Never>]] = [:]

  /// Runs an import when no other one may create the same.
  package func pass<Value: Sendable>(
    _ plan: ImportPlan, _ coordinator: PersistentStoreCoordinator,
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    let entities = plan.entities.filter { $0.key.map { $0.unique == nil } ?? false }
    let places = Set(
      entities.map {
        Place(coordinator: ObjectIdentifier(coordinator), entity: $0.family.rootNumber)
      })
    // In one order, so that two never wait for each other.
    for place in places.sorted() { await enter(place) }
    defer { for place in places { leave(place) } }
    try Task.checkCancellation()
    return try await work()
  }

  private func enter(_ place: Place) async {
    guard !busy.insert(place).inserted else { return }
    // Who leaves hands the place on.
    await withCheckedContinuation { waiting[place, default: []].append($0) }
  }

  private func leave(_ place: Place) {
    guard var queue = waiting[place], !queue.isEmpty else {
      busy.remove(place)
      return
    }
    let next = queue.removeFirst()
    waiting[place] = queue.isEmpty ? nil : queue
    next.resume()
  }
}
