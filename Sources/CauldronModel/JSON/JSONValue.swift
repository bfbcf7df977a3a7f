/// A value in a tape, which stays as long as it.
package struct JSONValue: Sendable {
  let tape: JSONTape
  let index: Int

  /// Whether it belongs to a record that is no element of an array.
  package var isAlone: Bool { tape.isAlone }

  package var kind: JSONTape.Kind { tape.nodes[index].kind }

  /// How many elements an array has, or how many names an object; of others 0.
  package var count: Int {
    kind == .array || kind == .object ? Int(tape.nodes[index].count) : 0
  }

  /// The text of a string, or the digits of a number as they were written; nil for others.
  package var text: String? {
    guard kind == .string || kind == .number else { return nil }
    return String(decoding: tape.text(index), as: UTF8.self)
  }

  /// The bytes of what ``text`` is.
  package var utf8: ArraySlice<UInt8> { tape.text(index) }

  /// What a value is that no attribute can be; nil for others.
  package var unusable: String? {
    kind == .unusable ? String(decoding: tape.text(index), as: UTF8.self) : nil
  }

  /// A value of Swift's that was no JSON; nil for others.
  package var native: (any AttributeValue)? {
    kind == .native ? tape.natives[Int(tape.nodes[index].start)] : nil
  }

  /// The elements of an array; none for others.
  package var elements: [JSONValue] {
    guard kind == .array else { return [] }
    var all: [JSONValue] = []
    all.reserveCapacity(count)
    var next = index + 1
    while next < tape.nodes[index].end {
      all.append(JSONValue(tape: tape, index: next))
      next = Int(tape.nodes[next].end)
    }
    return all
  }

  /// What an object has under its names, in the order of the file; nothing for others. Of a name that stands
  /// twice the last counts.
  package var members: [(name: String, value: JSONValue)] {
    guard kind == .object else { return [] }
    var all: [(name: String, value: JSONValue)] = []
    var next = index + 1
    while next < tape.nodes[index].end {
      let name = String(decoding: tape.text(next), as: UTF8.self)
      all.append((name, JSONValue(tape: tape, index: next + 1)))
      next = Int(tape.nodes[next + 1].end)
    }
    guard tape.repeated[index] != nil else { return all }
    var seen: Set<String> = []
    return all.reversed().filter { seen.insert($0.name).inserted }.reversed()
  }

  /// Whether a name stands twice in an object.
  package func isRepeated(_ name: [UInt8]) -> Bool {
    tape.repeated[index]?.contains(name) ?? false
  }

  /// A name that stands twice in an object of the value; nil where there is none.
  package var repeatedName: String? {
    if tape.repeated.isEmpty { return nil }
    let range = index..<Int(tape.nodes[index].end)
    let first = tape.repeated.filter { range.contains($0.key) }.min { $0.key < $1.key }
    return first?.value.first.map { String(decoding: $0, as: UTF8.self) }
  }

  /// What an object has under a name; nil where it has none, or is none. Of a name that stands twice the last
  /// counts.
  /// - Parameter name: The bytes of the name.
  /// - Complexity: O(names).
  package func member(_ name: [UInt8]) -> JSONValue? {
    guard kind == .object else { return nil }
    let end = Int(tape.nodes[index].end)
    let isRepeated = isRepeated(name)
    var found: JSONValue?
    var next = index + 1
    while next < end {
      if tape.isText(next, name) {
        found = JSONValue(tape: tape, index: next + 1)
        if !isRepeated { return found }
      }
      next = Int(tape.nodes[next + 1].end)
    }
    return found
  }
}
