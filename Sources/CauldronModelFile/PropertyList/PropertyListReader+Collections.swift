extension PropertyListReader {
  /// The numbers of a dictionary's values by their keys, none of which may stand there twice.
  package mutating func members(of number: Int) throws(StoredModelFailure) -> [String: Int] {
    guard case .dictionary(let keys, let values) = try object(number) else { throw .propertyList }
    var result: [String: Int] = [:]
    for (key, value) in zip(keys, values) {
      guard case .text(let name) = try object(key), result.updateValue(value, forKey: name) == nil
      else { throw .propertyList }
    }
    return result
  }

  /// The values of a dictionary by their keys.
  package mutating func entries(
    of number: Int
  ) throws(StoredModelFailure) -> [String: PropertyListObject] {
    var result: [String: PropertyListObject] = [:]
    for (name, value) in try members(of: number) { result[name] = try object(value) }
    return result
  }

  /// The texts of an array; none where the object is no array.
  package mutating func texts(_ number: Int) -> [String] {
    guard case .array(let elements)? = try? object(number) else { return [] }
    var result: [String] = []
    for element in elements {
      if case .text(let text)? = try? object(element) { result.append(text) }
    }
    return result
  }

  /// Whether collections lie in one another no deeper than `deepest`, and none in itself. What cannot be
  /// read contains nothing.
  package mutating func isShallow() -> Bool {
    var heights: [Int: Int] = [:]
    return height(of: top, above: 0, &heights) != nil
  }

  /// How many collections lie in one another below an object; nil where they are too many.
  private mutating func height(
    of number: Int, above depth: Int, _ heights: inout [Int: Int]
  ) -> Int? {
    if let known = heights[number] { return known + depth <= Self.deepest ? known : nil }
    let elements: [Int]
    switch try? object(number) {
    case .array(let members): elements = members
    case .dictionary(let keys, let values): elements = keys + values
    default: return 0
    }
    guard depth < Self.deepest else { return nil }
    var height = 0
    for element in elements {
      guard let below = self.height(of: element, above: depth + 1, &heights) else { return nil }
      height = max(height, below)
    }
    heights[number] = height + 1
    return height + 1
  }

  /// Whether the tree below an object, in which what is shared stands as often as it is referred to, is
  /// of so many objects at most: what makes a tree of the list takes no longer then.
  package mutating func isTree(_ number: Int, of most: inout Int) -> Bool {
    most -= 1
    guard most >= 0, let object = try? object(number) else { return false }
    switch object {
    case .array(let elements): return elements.allSatisfy { isTree($0, of: &most) }
    case .dictionary(let keys, let values):
      return (keys + values).allSatisfy { isTree($0, of: &most) }
    default: return true
    }
  }
}
