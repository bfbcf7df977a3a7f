package import CauldronModel
import CauldronStore

/// The layers of a save that come after one of them.
package struct LaterLayers {
  private let layers: ArraySlice<Layer>
  private let refused: [ObjectIdentifier: CauldronError]

  /// The objects of which the save changes nothing, because of what a policy has decided about another layer.
  package let dropped: Set<ManagedObjectID>

  init(
    layers: ArraySlice<Layer>, refused: [ObjectIdentifier: CauldronError],
    dropped: Set<ManagedObjectID>
  ) {
    self.layers = layers
    self.refused = refused
    self.dropped = dropped
  }

  /// The last one for which something is true.
  /// - Complexity: O(layers).
  package func last(where isMeant: (Layer) -> Bool) -> Layer? {
    layers.last { isMeant($0) && refused[$0.unit] == nil }
  }
}
