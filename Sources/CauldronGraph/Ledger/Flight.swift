import CauldronModel

/// A layer on its way into the store.
struct Flight {
  /// The layer as it is written.
  var layer: Layer
  /// The layer as it was saved; what goes back if it cannot be written.
  var saved: Layer
  /// Whether objects that have the layer's values must look at what became of them.
  var isNoticed = false
  /// What a merge policy has decided on the way from the one to the other.
  var resolutions: [SaveResolution] = []
  /// Whether the store has found a reference of the layer, or to what it deletes, that leads nowhere.
  var hasDanglingReferences = false
  /// Set where the store has passed it over because it touches what a failed change has touched.
  var suspicion: CauldronError?

  init(_ saved: Layer) {
    layer = saved
    self.saved = saved
  }
}
