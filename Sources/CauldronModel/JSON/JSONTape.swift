import Foundation

/// One JSON value with all that is in it, as a list of nodes and the bytes of its texts.
///
/// Nothing is decoded: a number keeps its digits until its type is known, and texts and names are
/// compared by their bytes, so that two spellings of one letter stay two names.
///
/// A class, so that the values in it hold it and nothing is copied. `@unchecked Sendable` because
/// only its maker writes to it: a parser takes another one where the last is still held.
package final class JSONTape: @unchecked Sendable {
  /// What a value is.
  package enum Kind: UInt8, Sendable {
    case null, `false`, `true`, number, string, array, object
    /// A value of Swift's that JSON has no form for, such as a date.
    case native
    /// One of Swift's, a text or a name that no attribute can be; its bytes say what it is.
    case unusable
  }

  /// A value or a name; what is in an array or an object follows it.
  struct Node: Sendable {
    let kind: Kind
    /// Where its bytes begin; of arrays and objects 0, of a native value its number.
    var start: Int32
    /// How many bytes it has, or how many elements, or how many names.
    var count: Int32
    /// The node after it and all that is in it.
    var end: Int32
  }

  @exclusivity(unchecked) private(set) var nodes: [Node] = []
  @exclusivity(unchecked) var bytes: [UInt8] = []
  /// What was no JSON; nothing in what was read.
  private(set) var natives: [any AttributeValue] = []

  /// The names that stand twice in an object, by the object's node; mostly there are none.
  private(set) var repeated: [Int: Set<[UInt8]>] = [:]

  /// Whether the value is a record by itself, and no element of an array.
  package internal(set) var isAlone = false

  /// The name under which the record stands in an object of records; nil where it stands in no such object.
  package internal(set) var name: String?

  package init() {}

  /// The value itself.
  package var root: JSONValue { JSONValue(tape: self, index: 0) }

  var isEmpty: Bool { nodes.isEmpty }

  /// Whether anything is there that no attribute can be.
  private(set) var hasUnusable = false

  /// Forgets all, and keeps the room.
  func clear() {
    nodes.removeAll(keepingCapacity: true)
    name = nil
    hasUnusable = false
    repeated.removeAll()
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds a value or a name whose bytes are there.
  func add(_ kind: Kind, start: Int = 0, count: Int = 0) {
    if kind == .unusable { hasUnusable = true }
    nodes.append(
      Node(
        kind: kind, start: Int32(truncatingIfNeeded: start),
        count: Int32(truncatingIfNeeded: count), end: Int32(truncatingIfNeeded: nodes.count + 1)))
  }

  /// Adds a value that is no JSON.
  func add(native value: any AttributeValue) {
    add(.native, start: natives.count)
    natives.append(value)
  }

  /// Notes that a name stands twice in an object.
  func addRepeated(_ name: [UInt8], of object: Int) { repeated[object, default: []].insert(name) }

  /// Says how much a copied array or object has.
  func setExtent(_ index: Int, count: Int32, end: Int) {
    nodes[index].count = count
    nodes[index].end = Int32(truncatingIfNeeded: end)
  }

  /// Ends an array or an object.
  func close(_ index: Int, count: Int) {
    nodes[index].count = Int32(truncatingIfNeeded: count)
    nodes[index].end = Int32(truncatingIfNeeded: nodes.count)
  }

  /// Whether a name or a text has some bytes.
  @inline(__always)
  func isText(at index: Int, _ other: [UInt8]) -> Bool {
    let node = nodes[index]
    guard Int(node.count) == other.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      other.withUnsafeBufferPointer { other in
        guard let own = bytes.baseAddress, let other = other.baseAddress else { return true }
        return memcmp(own + Int(node.start), other, Int(node.count)) == 0
      }
    }
  }

  /// The bytes of a text, a number or a name.
  func text(_ index: Int) -> ArraySlice<UInt8> {
    let node = nodes[index]
    return bytes[Int(node.start)..<Int(node.start + node.count)]
  }
}
