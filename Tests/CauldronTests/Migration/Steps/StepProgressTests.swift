import Cauldron
import CauldronModel
import CauldronStore
import Foundation
import TestSupport
import Testing

/// Steps are forecast, tell how far they are, and end where they are cancelled.
@Suite(.againstHanging) struct StepProgressTests {
  private static let entities = [EntityDescription.entity("Person", .text("name"))]

  private func filled(_ count: Int = 2_500) throws -> DayTwo {
    let store = try DayTwo()
    try store.open(Self.entities) { context in
      for number in 0..<count {
        try context.insertNewObject(forEntityName: "Person").setValue("\(number)", forKey: "name")
      }
    }
    return store
  }

  private func configuration(_ store: DayTwo, _ steps: MigrationStep...) -> StackConfiguration {
    var configuration = StackConfiguration()
    configuration.logger = store.log.logger
    configuration.migration = .plan(MigrationPlan(steps: steps))
    return configuration
  }

  private let shout = MigrationStep("shout", needs: ["Person.name"]) { step in
    try step.each("Person") { old, new in new["name"] = (old["name"] ?? "") + "!" }
  }

  @Test func `a step is forecast where it is due, and only there`() throws {
    let store = try filled(2)
    let model = try ManagedObjectModel(entities: Self.entities)
    let absent = MigrationStep("absent", needs: ["Company"]) { _ in }
    let before = store.content()
    let forecast = try Stack.migrationForecast(
      storeURL: store.url, model: model, configuration: configuration(store, absent, shout))
    #expect(forecast.isNeeded && forecast.isPossible)
    #expect(forecast.steps == ["shout"])
    #expect(forecast.changes.isEmpty && forecast.losses.isEmpty)
    let none = try Stack.migrationForecast(
      storeURL: store.url, model: model, configuration: configuration(store, absent))
    #expect(!none.isNeeded && none.steps.isEmpty)
    #expect(store.content() == before)
    #expect(throws: CauldronError.self) {
      try Stack.migrationForecast(
        storeURL: store.url, model: model, configuration: configuration(store, shout, shout))
    }
  }

  @Test func `progress names the step`() async throws {
    let store = try filled()
    let model = try ManagedObjectModel(entities: Self.entities)
    let tally = Tally()
    let stack = try await Stack(
      storeURL: store.url, model: model, configuration: configuration(store, shout)
    ) { tally.note("\($0.phase)") }
    try stack.close()
    #expect(tally.words.contains("step \"shout\""))
  }

  @Test func `a step that is cancelled leaves the store as it was`() async throws {
    let store = try filled()
    let model = try ManagedObjectModel(entities: Self.entities)
    let before = store.content()
    let configuration = configuration(store, shout)
    let url = store.url
    let task = Task {
      try await Stack(storeURL: url, model: model, configuration: configuration) { progress in
        guard case .step = progress.phase else { return }
        Cancelling.shared.cancel()
      }.close()
    }
    Cancelling.shared.set { task.cancel() }
    let result = await task.result
    let error = #expect(throws: CauldronError.self) { try result.get() }
    #expect(error?.code == .migrationCancelled)
    #expect(store.content() == before)
  }
}

/// What ends a task, once both are known.
private final class Cancelling: Sendable {
  static let shared = Cancelling()
  private let action = Locked<(@Sendable () -> Void)?>(nil)

  func set(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

  func cancel() {
    // The step waits until somebody can be told.
    while true {
      if let action = action.withLock({ $0 }) { return action() }
      usleep(1000)
    }
  }
}
