import CauldronGraph

/// What is known of a key that a chunk names, so that it is looked for once.
struct KeySlot {
  enum State {
    case unknown
    case object(ManagedObject)
    /// Two objects, of which nobody knows which is meant.
    case several
  }

  let ref: KeyRef
  var state: State
  /// Whether nothing but the key is known of the object, which this import has created.
  var isStub = false
}
