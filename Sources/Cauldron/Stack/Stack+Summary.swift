import CauldronGraph
import CauldronModel
import Foundation

extension Stack {
  /// The version of the library.
  public static let libraryVersion = "0.1.0-dev"

  /// What the stack is made of, in several lines: model, store, and the contexts from the default one
  /// up to the one that writes.
  ///
  /// ```swift
  /// print(Stack.default.summary)
  /// ```
  public var summary: String {
    let store = coordinator.storeURL?.path ?? "in memory"
    let entities = model.entities.map(\.name).joined(separator: ", ")
    let chain = defaultContext.parentChain.map { "- \($0)" }.joined(separator: "\n")
    return """
      Model:           \(model.name) (\(entities))
      Store:           \(store)\(coordinator.isClosed ? ", closed" : "")
      Store UUID:      \(coordinator.storeIdentifier)
      Layout:          \(layout)
      Default context: \(defaultContext)
      Context chain:
      \(chain)
      """
  }
}
