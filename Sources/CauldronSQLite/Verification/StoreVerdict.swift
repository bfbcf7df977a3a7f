package import CauldronModel

/// What a look through a store has found.
package struct StoreVerdict: Sendable {
  package var findings: [StoreFinding]
  /// What could not be looked at, and why; nil where everything was.
  package var note: String?
}
