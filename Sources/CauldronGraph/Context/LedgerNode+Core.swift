import CauldronLedger

extension LedgerNode {
  /// The context, as long as it exists.
  var core: ContextCore? {
    // Cores alone tie themselves to nodes.
    owner.map { unsafeDowncast($0, to: ContextCore.self) }
  }
}
