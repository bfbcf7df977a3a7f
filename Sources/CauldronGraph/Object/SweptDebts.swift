import CCauldron
import CauldronModel

/// The retains of blocks that dropped objects have left, released once for many.
struct SweptDebts {
  private var block: Unmanaged<RowBlock>?
  private var count: UInt32 = 0

  /// Takes over what an object must release that nobody else has; the core's retain is the
  /// caller's to pay.
  @inline(__always)
  mutating func takeOver(_ object: ManagedObject) {
    object.state.insert(.abandoned)
    let block = Unmanaged.passUnretained(RowPointer(object.row).block)
    if block.toOpaque() != self.block?.toOpaque() {
      pay()
      self.block = block
    }
    count += 1
  }

  /// Releases everything, after the objects are gone.
  mutating func pay() {
    if let block, count > 0 { cauldron_release(block.toOpaque(), count) }
    count = 0
  }
}
