/// A context, as the ledger knows it.
@usableFromInline
package protocol LayerOwner: AnyObject, Sendable {
  /// The context's name, as errors and logs tell it.
  var name: String { get }

  /// Has the context take in, in an event of its own, what its objects have not seen.
  func catchUpSoon()
}
