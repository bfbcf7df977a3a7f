package import CauldronModel
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
    private let body: @Sendable (StoreHarness) throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (StoreHarness) throws -> Void) {
      self.sentence = sentence
      self.body = body
    }

    package var testDescription: String { sentence }

    /// Checks the promise with an empty store of the people model.
    package func check(_ makeStore: Factory) throws {
      let harness = try StoreHarness(makeStore)
      try body(harness)
      try harness.store.close()
    }
  }

  /// All promises.
  package static let promises =
    keys + writing + conflicts + references + uniqueness + layers + reading + views + closing
}
