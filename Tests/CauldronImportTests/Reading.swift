import CauldronModel
import Foundation

/// A number as it was written.
struct Digits: Equatable {
  let text: String

  init(_ text: String) { self.text = text }
}

enum Reading {
  /// Reads bytes in pieces of a size.
  static func read(
    _ bytes: [UInt8], root: [String], _ size: Int, _ body: (JSONTape) throws -> Void
  ) throws {
    var parser = JSONParser(root: root)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      rest = rest.dropFirst(piece.count)
      try piece.withUnsafeBufferPointer { try parser.read($0, body) }
    }
    try parser.finish(body)
  }

  /// A value as Foundation would have it, with numbers as they were written.
  static func plain(_ value: JSONValue) -> Any {
    switch value.kind {
    case .null, .native, .unusable: NSNull()
    case .false: false
    case .true: true
    case .number: Digits(value.text ?? "")
    case .string: value.text ?? ""
    case .array: value.elements.map(plain)
    case .object: Dictionary(uniqueKeysWithValues: value.members.map { ($0.name, plain($0.value)) })
    }
  }

  static func isEqual(_ a: Any, _ b: Any) -> Bool {
    switch (a, b) {
    case (is NSNull, is NSNull): true
    case (let a as Bool, let b as Bool): a == b
    case (let a as Digits, let b as Digits): a == b
    case (let a as String, let b as String): Array(a.utf8) == Array(b.utf8)
    case (let a as [Any], let b as [Any]):
      a.count == b.count && zip(a, b).allSatisfy { isEqual($0, $1) }
    case (let a as [String: Any], let b as [String: Any]):
      a.count == b.count
        && a.allSatisfy { name, value in b[name].map { isEqual(value, $0) } == true }
    default: false
    }
  }
}
