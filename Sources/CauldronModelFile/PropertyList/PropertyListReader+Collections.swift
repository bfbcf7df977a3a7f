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
