import CauldronLedger

/// The contexts whose layers somebody may see.
struct LivePath {
  var nodes: Set<ObjectIdentifier> = []
  /// Whether all of their layers are seen, so that one which goes from the one to the other is no news;
  /// otherwise it may come into view with that, or go.
  var isWhole = true

  func contains(_ node: LedgerNode) -> Bool { nodes.contains(ObjectIdentifier(node)) }
}
