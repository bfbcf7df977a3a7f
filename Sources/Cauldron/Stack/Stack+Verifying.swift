import CauldronGraph
public import CauldronModel
import Dispatch

extension Stack {
  /// Looks through the whole store for what is wrong with it: pages, keys, links, orders, unique and
  /// required values, hashes and indexes, and values that the classes cannot decode or that are no
  /// case of their enumeration any more.
  ///
  /// ```swift
  /// for finding in try await Stack.default.verify() { print(finding) }
  /// ```
  /// It only reads, in one view of the store, and away from all contexts; what is not saved is not
  /// looked at. `cauldron verify` does the same without the program, but for what only its classes
  /// know. A store in memory has no findings.
  /// - Returns: What is wrong; nothing for a good store.
  /// - Throws: `store.…` where the file cannot be read; `stack.closed`.
  /// - Complexity: Every page is read, and each table several times.
  public func verify() async throws -> [StoreFinding] {
    let store = coordinator.store
    return try await withCheckedThrowingContinuation { answer in
      DispatchQueue.global(qos: .utility).async {
        answer.resume(with: Result { try store.verify() })
      }
    }
  }
}
