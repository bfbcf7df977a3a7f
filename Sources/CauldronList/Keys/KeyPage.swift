/// The elements of 512 adjacent keys, as many as there are; never changes once made.
final class KeyPage<Element: ListElement>: Sendable {
  /// The first of the keys.
  let prefix: UInt64
  /// Which keys have an element.
  let bits: InlineArray<8, UInt64>
  /// Their elements, by ascending key.
  let elements: [Element]

  init(prefix: UInt64, bits: InlineArray<8, UInt64>, elements: [Element]) {
    self.prefix = prefix
    self.bits = bits
    self.elements = elements
  }

  /// A page of keys that all lie in it, ascending; nil for none.
  init?(_ edits: ArraySlice<KeyEdit<Element>>) {
    var bits = InlineArray<8, UInt64>(repeating: 0)
    var elements: [Element] = []
    elements.reserveCapacity(edits.count)
    for edit in edits {
      guard let element = edit.element else { continue }
      bits.insert(edit.slot)
      elements.append(element)
    }
    guard let first = edits.first, !elements.isEmpty else { return nil }
    prefix = first.key & ~511
    self.bits = bits
    self.elements = elements
  }

  func element(_ key: UInt64) -> Element? {
    let slot = Int(truncatingIfNeeded: key & 511)
    if key & ~511 != prefix || !bits.contains(slot) { return nil }
    return elements[bits.rank(slot)]
  }

  /// The page after edits of its keys, ascending; nil if nothing is left.
  func applying(_ edits: ArraySlice<KeyEdit<Element>>) -> KeyPage? {
    var bits = bits
    var result: [Element] = []
    result.reserveCapacity(elements.count + edits.count)
    var done = 0
    for edit in edits {
      let rank = self.bits.rank(edit.slot)
      result += elements[done..<rank]
      done = self.bits.contains(edit.slot) ? rank + 1 : rank
      if let element = edit.element {
        bits.insert(edit.slot)
        result.append(element)
      } else {
        bits.remove(edit.slot)
      }
    }
    result += elements[done...]
    return result.isEmpty ? nil : KeyPage(prefix: prefix, bits: bits, elements: result)
  }
}
