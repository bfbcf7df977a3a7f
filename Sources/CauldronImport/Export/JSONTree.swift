import CauldronModel

/// JSON that is being written.
indirect enum JSONTree {
  /// A value as its text.
  case value(String)
  case array([JSONTree])
  case object(names: [String], values: [String: JSONTree])

  static var empty: JSONTree { .object(names: [], values: [:]) }

  /// Puts a value where a path of names leads.
  /// - Returns: Whether there was room for it.
  mutating func set(_ tree: JSONTree, at path: ArraySlice<String>) -> Bool {
    guard case .object(var names, var values) = self, let name = path.first else { return false }
    if path.count == 1 {
      guard values[name] == nil else { return false }
      names.append(name)
      values[name] = tree
    } else {
      var inner = values[name] ?? .empty
      if values[name] == nil { names.append(name) }
      guard inner.set(tree, at: path.dropFirst()) else { return false }
      values[name] = inner
    }
    self = .object(names: names, values: values)
    return true
  }

  func write(to text: inout String) {
    switch self {
    case .value(let value): text += value
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let names, let values):
      text += "{"
      for (index, name) in names.enumerated() {
        if index > 0 { text += "," }
        text += JSONText.quoted(name) + ":"
        values[name]?.write(to: &text)
      }
      text += "}"
    }
  }
}
