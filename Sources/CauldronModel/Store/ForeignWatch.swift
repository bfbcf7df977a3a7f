/// Looks out for what others commit to a store, until it is stopped or let go, or the store is closed.
package protocol ForeignWatch: AnyObject, Sendable {
  /// Why it looks each second, in place of being told; nil where the system tells.
  var pollingReason: String? { get }
  /// Ends it; a call of its closure may be under way still. Twice does no harm.
  func stop()
}
