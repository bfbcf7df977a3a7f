internal import CCauldron

extension UnsafeBufferPointer<RowPointer> {
  /// Begins to load the header and a slot of the row that will be looked at a little later.
  ///
  /// Rows lie at irregular distances, so that the processor cannot guess what comes next.
  @inline(__always)
  func prefetch(_ position: Int, _ index: Int) {
    let ahead = position + 16
    guard ahead < count else { return }
    cauldron_prefetch(self[ahead].words)
    cauldron_prefetch(self[ahead].words + RowPointer.header + index)
  }
}
