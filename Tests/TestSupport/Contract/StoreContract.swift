package import CauldronModel
package import CauldronStore
import Testing

/// What every store promises, as tests that take the store to test.
///
/// ```swift
/// @Test("Keeps the contract", arguments: StoreContract.promises)
/// func contract(promise: StoreContract.Promise) throws {
///   try promise.check { try MyStore(model: $0, storeNumber: $1) }
/// }
/// ```
package enum StoreContract {
  /// Makes an empty store for a model.
  package typealias Factory = (ManagedObjectModel, Int32) throws -> any PersistentStore

  /// One promise, named by a sentence.
  package struct Promise: Sendable, CustomTestStringConvertible {
    let sentence: String
    private let model: @Sendable () throws -> ManagedObjectModel
    private let body: @Sendable (StoreHarness) throws -> Void

    init(
      _ sentence: String,
      model: @escaping @Sendable () throws -> ManagedObjectModel = TestModels.people,
      _ body: @escaping @Sendable (StoreHarness) throws -> Void
    ) {
      self.sentence = sentence
      self.model = model
      self.body = body
    }

    package var testDescription: String { sentence }

    /// Checks the promise with an empty store of its model, which is mostly that of the people.
    package func check(_ makeStore: Factory) throws {
      let harness = try StoreHarness(makeStore, model())
      try body(harness)
      try harness.store.close()
    }
  }

  /// All promises.
  package static let promises =
    keys + writing + conflicts + references + uniqueness + layers + reading + decimals + sections
    + owners + views + closing
}
