extension LedgerNode {
  /// The context, as long as it exists; told, outside the ledger's lock, that layers came or went
  /// that its objects have not seen.
  var core: ContextCore? {
    // Cores alone tie themselves to nodes.
    owner.map { unsafeDowncast($0, to: ContextCore.self) }
  }
}
