import CauldronLedger
import CauldronModel

/// What a commit did; there is one however it ended, because a part of it may be on disk.
struct CommitSummary {
  var written: [Layer] = []
  /// Layers as they were before a merge policy has adapted them; contexts below show them so.
  var adapted: [Layer] = []
  /// What went back to where it came from, as it was saved.
  var failed: [(Layer, CauldronError)] = []
  /// Whether nothing was begun, because a child has brought back what the context may have deleted.
  var isOutrun = false
  /// What stays behind and is changed by it no more, as newer layers have done so.
  var losses: [LeftBehind.Loss] = []
  /// Whether the store has changed derived attributes of other rows.
  var hasTouched = false
  var statementCount = 0
  var rowCount = 0
  /// What concerns all that was not written.
  var error: CauldronError?

  /// Tells the save that a layer belongs to that it is on disk.
  mutating func acknowledge(_ flight: Flight, by saveID: UInt64) {
    flight.layer.ticket?.note(flight.resolutions)
    flight.layer.ticket?.resolve(.committed(by: saveID))
    written.append(flight.layer)
    // As it was: what the policy has dropped must be looked at, too.
    if flight.isNoticed { adapted.append(flight.saved) }
  }
}
