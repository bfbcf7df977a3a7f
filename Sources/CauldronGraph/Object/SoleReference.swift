import CCauldron

/// What the runtime notes in an object to which there is one strong reference, and neither a weak
/// nor an unowned one.
///
/// `isKnownUniquelyReferenced` does not tell of weak and unowned references, through which somebody
/// could get hold of an object again that waits to be released.
package enum SoleReference {
  /// Nil where the runtime keeps its notes in another way than it is known to.
  package static let word: UInt64? = {
    let probe = Probe()
    let sole = word(of: probe)
    guard withStrong(probe) != sole, withUnowned(probe) != sole, word(of: probe) == sole else {
      return nil
    }
    return withWeak(probe) == sole ? nil : sole
  }()

  private final class Probe {
    var strong: Probe?
    unowned var unowned: Probe?
    weak var weak: Probe?
  }

  @inline(never)
  private static func word(of probe: Probe) -> UInt64 {
    cauldron_reference_word(Unmanaged.passUnretained(probe).toOpaque())
  }

  @inline(never)
  private static func withStrong(_ probe: Probe) -> UInt64 {
    let holder = Probe()
    holder.strong = probe
    return withExtendedLifetime(holder) { word(of: probe) }
  }

  @inline(never)
  private static func withUnowned(_ probe: Probe) -> UInt64 {
    let holder = Probe()
    holder.unowned = probe
    return withExtendedLifetime(holder) { word(of: probe) }
  }

  @inline(never)
  private static func withWeak(_ probe: Probe) -> UInt64 {
    let holder = Probe()
    holder.weak = probe
    return withExtendedLifetime(holder) { word(of: probe) }
  }
}
