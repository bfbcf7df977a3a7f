import CCauldron
import CauldronModel

/// What objects that a sweep drops have retained, released once for many.
struct SweptDebts {
  /// How many objects there were.
  private(set) var count = 0
  private var core: Unmanaged<ContextCore>?
  private var block: Unmanaged<RowBlock>?
  private var inBlock: UInt32 = 0

  /// Takes over what an object must release that nobody else has.
  @inline(__always)
  mutating func takeOver(_ object: ManagedObject) {
    object.state.insert(.abandoned)
    let block = Unmanaged.passUnretained(RowPointer(object.row).block)
    if block.toOpaque() != self.block?.toOpaque() {
      payBlock()
      self.block = block
    }
    inBlock += 1
    count += 1
    core = object.core
  }

  /// Releases everything, after the objects are gone.
  mutating func pay() {
    payBlock()
    if let core { cauldron_release(core.toOpaque(), UInt32(count)) }
    core = nil
  }

  private mutating func payBlock() {
    if let block { cauldron_release(block.toOpaque(), inBlock) }
    inBlock = 0
  }
}
