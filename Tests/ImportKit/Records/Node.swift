import CauldronModel

/// A piece of JSON.
indirect enum Node: Sendable {
  case null
  case literal(Literal)
  case array([Node])
  case object([Member])

  struct Member: Sendable {
    let name: String
    var value: Node
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  /// As it is written.
  var text: String {
    switch self {
    case .null: "null"
    case .literal(let literal): literal.text
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{" + members.map { "\"\($0.name)\": \($0.value.text)" }.joined(separator: ", ") + "}"
    }
  }

  /// What an object has under a name.
  subscript(name: String) -> Node? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Puts a value where a path leads; nothing where something else is in the way.
  mutating func put(_ value: Node, _ path: [String]) {
    guard case .object(var members) = self, let first = path.first else { return }
    let place = members.firstIndex { $0.name == first }
    if path.count == 1 {
      if place == nil { members.append(Member(name: first, value: value)) }
    } else {
      var inner = place.map { members[$0].value } ?? .object([])
      inner.put(value, Array(path.dropFirst()))
      if let place {
        members[place].value = inner
      } else {
        members.append(Member(name: first, value: inner))
      }
    }
    self = .object(members)
  }
}

/// A number, a text or a truth value, as it is written.
struct Literal: Sendable, Hashable {
  enum Kind: Sendable { case number, text, truth }

  let kind: Kind
  /// Without quotes and escapes.
  let content: String

  static func number(_ content: String) -> Literal { Literal(kind: .number, content: content) }
  static func text(_ content: String) -> Literal { Literal(kind: .text, content: content) }
  static func truth(_ value: Bool) -> Literal { Literal(kind: .truth, content: "\(value)") }

  var text: String { kind == .text ? JSONText.quoted(content) : content }
}
