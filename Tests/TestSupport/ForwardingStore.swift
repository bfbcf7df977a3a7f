package import CauldronModel
package import CauldronStore
package import Foundation

/// A store that stands before another one and passes on what a test leaves alone.
package protocol ForwardingStore: PersistentStore {
  var base: any PersistentStore { get }
}

extension ForwardingStore {
  package var identifier: String { base.identifier }
  package var url: URL? { base.url }

  package func reader() throws -> any StoreReader { try base.reader() }

  package func reserveKeys(_ count: Int, for root: EntityLayout) throws -> Range<Int64> {
    try base.reserveKeys(count, for: root)
  }

  package func reserveKeysAtOnce(_ count: Int, for root: EntityLayout) throws -> Range<Int64>? {
    try base.reserveKeysAtOnce(count, for: root)
  }

  package func returnKeys(_ range: Range<Int64>, for root: EntityLayout) throws {
    try base.returnKeys(range, for: root)
  }

  package func verify() throws -> [StoreFinding] { try base.verify() }

  package func close() throws { try base.close() }
}
