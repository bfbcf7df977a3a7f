import CCauldron
import CauldronLedger

/// The objects of 64 keys that follow one another; a plain pointer, so that a look-up retains
/// nothing.
struct IdentityPage {
  static let bits: Int64 = 6
  static let size = 1 << 6

  /// Word 0 counts the entries, the others are the objects, each held strongly.
  let words: PageDirectory.Page

  init(_ words: PageDirectory.Page) { self.words = words }

  init() {
    words = .allocate(capacity: Self.size + 1)
    words.initialize(repeating: 0, count: Self.size + 1)
  }

  /// Lets go of everything.
  func removeAll() {
    for slot in 0..<Self.size where words[0] > 0 {
      // A `deinit` may look into the page.
      remove(slot)?.release()
    }
  }

  /// Gives the memory of an empty page back, which must not be used afterwards.
  func free() { words.deallocate() }

  var count: Int { Int(words[0]) }

  static func slot(_ key: Int64) -> Int { Int(key & 63) }

  @inline(__always)
  func object(_ slot: Int) -> Unmanaged<ManagedObject>? {
    UnsafeRawPointer(bitPattern: words[1 + slot]).map(Unmanaged.fromOpaque)
  }

  /// Puts an object in an empty slot, or in place of another one.
  /// - Returns: Whether the slot was empty.
  @inline(__always)
  func insert(_ object: ManagedObject, at slot: Int) -> Bool {
    let old = self.object(slot)
    words[1 + slot] = UInt(bitPattern: Unmanaged.passRetained(object).toOpaque())
    guard let old else {
      words[0] += 1
      return true
    }
    old.release()
    return false
  }

  /// Takes an object out; the caller releases it.
  func remove(_ slot: Int) -> Unmanaged<ManagedObject>? {
    guard let old = object(slot) else { return nil }
    words[1 + slot] = 0
    words[0] -= 1
    return old
  }

  /// Drops the clean objects that nobody else holds.
  /// - Returns: How many were dropped.
  func sweep() -> Int {
    var dropped = 0
    for slot in 0..<Self.size {
      guard let entry = object(slot) else { continue }
      if slot + 8 < Self.size { cauldron_prefetch(UnsafeRawPointer(bitPattern: words[slot + 9])) }
      var object = entry.takeRetainedValue()
      guard object.isClean, isKnownUniquelyReferenced(&object), object.mayLeave else {
        _ = Unmanaged.passRetained(object)
        continue
      }
      // It has left the map before it is freed: its `deinit` may ask for it.
      words[1 + slot] = 0
      words[0] -= 1
      dropped += 1
    }
    return dropped
  }

  func append(to result: inout [ManagedObject]) {
    for slot in 0..<Self.size {
      if let entry = object(slot) { result.append(entry.takeUnretainedValue()) }
    }
  }
}
