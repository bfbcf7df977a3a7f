import CauldronLedger
import Foundation

/// What is kept right as its store and its context change.
protocol LiveResult: AnyObject, Sendable {
  /// The context that it is seen from.
  var node: LedgerNode { get }
  var ledger: ChangeLedger { get }
  /// Its number as a reader of the journal, and what can matter to it, nil where that is not known yet; nil
  /// while it does not read.
  var reading: (reader: Int, watch: LiveWatch?)? { get }
  /// Whether something has changed that may matter.
  var isBehind: Bool { get }
  /// Whether a consumer may have to be told of it at the end of an event, though nothing has
  /// changed since.
  var isUntold: Bool { get }
  /// Called when it is behind.
  func stepSoon()
  /// An event of its context has ended, on the thread of its owner.
  func stepHere()
  /// The store is about to be closed.
  func end()
}
