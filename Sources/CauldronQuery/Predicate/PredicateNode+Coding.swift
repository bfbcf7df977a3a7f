public import CauldronModel
import Foundation

extension PredicateNode: Codable {
  private enum Key: String, CodingKey {
    case kind, a, b, by, options, values, path, ids, condition, list, isNegated
  }

  private enum Kind: String, Codable {
    case yes, no, comparison, text, isIn, isNil, refersTo, isSelf, quantified, all, any
  }

  /// - Throws: `object.notFound` for the ID of an object whose store is not open,
  ///   `query.unsupported` for anything but a condition, `query.tooDeep`, and the decoder's errors.
  public init(from decoder: any Decoder) throws {
    try TreeDecoding.checkDepth(decoder)
    let values = try decoder.container(keyedBy: Key.self)
    func value<T: Decodable>(_ key: Key) throws -> T { try values.decode(T.self, forKey: key) }
    switch try value(.kind) as Kind {
    case .yes: self = .constant(true)
    case .no: self = .constant(false)
    case .comparison:
      self = .comparison(try value(.a), try value(.by), try value(.b), try value(.options))
    case .text: self = .text(try value(.a), try value(.by), try value(.b), try value(.options))
    case .isIn: self = .isIn(try value(.a), try value(.values), try value(.options))
    case .isNil: self = .isNil(try value(.path))
    case .refersTo: self = .refersTo(try value(.path), try value(.ids))
    case .isSelf: self = .isSelf(try value(.ids))
    case .quantified:
      self = .quantified(try value(.by), try value(.path), try value(.condition))
    case .all: self = try Self.joined(.and(try value(.list)), isNegated: value(.isNegated))
    case .any: self = try Self.joined(.or(try value(.list)), isNegated: value(.isNegated))
    }
  }

  private static func joined(_ node: PredicateNode, isNegated: Bool) -> PredicateNode {
    isNegated ? .not(node) : node
  }

  /// - Throws: `object.notFound` for the ID of an object that is not in its store yet, and
  ///   `query.tooDeep`.
  public func encode(to encoder: any Encoder) throws {
    if isTooDeep { throw CauldronError.tooDeep(nil) }
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .constant(let value): try values.encode(value ? Kind.yes : .no, forKey: .kind)
    case .comparison(let a, let comparison, let b, let options):
      try values.encode(Kind.comparison, forKey: .kind)
      try values.encode(comparison, forKey: .by)
      try Self.encode(a, and: b, options: options, to: &values)
    case .text(let a, let search, let b, let options):
      try values.encode(Kind.text, forKey: .kind)
      try values.encode(search, forKey: .by)
      try Self.encode(a, and: b, options: options, to: &values)
    case .isIn(let value, let list, let options):
      try values.encode(Kind.isIn, forKey: .kind)
      try values.encode(value, forKey: .a)
      try values.encode(list, forKey: .values)
      try values.encode(options, forKey: .options)
    case .isNil(let path):
      try values.encode(Kind.isNil, forKey: .kind)
      try values.encode(path, forKey: .path)
    case .refersTo(let path, let ids):
      try values.encode(Kind.refersTo, forKey: .kind)
      try values.encode(path, forKey: .path)
      try values.encode(ids, forKey: .ids)
    case .isSelf(let ids):
      try values.encode(Kind.isSelf, forKey: .kind)
      try values.encode(ids, forKey: .ids)
    case .quantified(let quantifier, let path, let condition):
      try values.encode(Kind.quantified, forKey: .kind)
      try values.encode(quantifier, forKey: .by)
      try values.encode(path, forKey: .path)
      try values.encode(condition, forKey: .condition)
    case .joined(let junction): try Self.encode(junction, to: &values)
    }
  }

  private static func encode(
    _ a: QueryExpression, and b: QueryExpression, options: TextOptions,
    to values: inout KeyedEncodingContainer<Key>
  ) throws {
    try values.encode(a, forKey: .a)
    try values.encode(b, forKey: .b)
    try values.encode(options, forKey: .options)
  }

  private static func encode(
    _ junction: PredicateJunction, to values: inout KeyedEncodingContainer<Key>
  ) throws {
    try values.encode(junction.kind == .all ? Kind.all : .any, forKey: .kind)
    try values.encode(junction.conditions, forKey: .list)
    try values.encode(junction.isNegated, forKey: .isNegated)
  }
}

extension QueryExpression: Codable {
  private enum Key: String, CodingKey { case value, path, by, a, b, call, of, condition }

  /// - Throws: `query.unsupported` for what no expression is, `query.tooDeep`, and what the decoder throws.
  public init(from decoder: any Decoder) throws {
    try TreeDecoding.checkDepth(decoder)
    let values = try decoder.container(keyedBy: Key.self)
    func value<T: Decodable>(_ key: Key) throws -> T { try values.decode(T.self, forKey: key) }
    func optional<T: Decodable>(_ key: Key) throws -> T? {
      try values.decodeIfPresent(T.self, forKey: key)
    }
    // A conditional is told by its condition, which an aggregate may have, too.
    let isAggregate = values.contains(.of)
    let kinds: [Key] = [.value, .path, .by, .call, .of] + (isAggregate ? [] : [.condition])
    switch try TreeDecoding.only(kinds, of: "an expression", in: values) {
    case .value: self = .value(try value(.value))
    case .path: self = .property(try value(.path))
    case .by: self = .arithmetic(try value(.by), try value(.a), try value(.b))
    case .call: self = .function(try value(.call), try value(.a))
    case .of:
      let aggregate: Aggregate = try value(.b)
      self = .aggregate(
        aggregate, of: try value(.of), try optional(.a), where: try optional(.condition))
    case .condition, .a, .b:
      self = .conditional(try value(.condition), try value(.a), try value(.b))
    }
  }

  /// - Throws: `query.tooDeep`, and as the conditions in it.
  public func encode(to encoder: any Encoder) throws {
    if isTooDeep { throw CauldronError.tooDeep(nil) }
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .value(let scalar): try values.encode(scalar, forKey: .value)
    case .property(let path): try values.encode(path, forKey: .path)
    case .arithmetic(let operation, let a, let b):
      try values.encode(operation, forKey: .by)
      try values.encode(a, forKey: .a)
      try values.encode(b, forKey: .b)
    case .function(let function, let value):
      try values.encode(function, forKey: .call)
      try values.encode(value, forKey: .a)
    case .aggregate(let aggregate, let path, let value, let condition):
      try values.encode(aggregate, forKey: .b)
      try values.encode(path, forKey: .of)
      try values.encodeIfPresent(value, forKey: .a)
      try values.encodeIfPresent(condition, forKey: .condition)
    case .conditional(let condition, let a, let b):
      try values.encode(condition, forKey: .condition)
      try values.encode(a, forKey: .a)
      try values.encode(b, forKey: .b)
    }
  }
}

extension AttributeScalar: Codable {
  private enum Key: String, CodingKey { case null, integer, real, bits, text, blob }

  /// - Throws: `query.unsupported` for what no value is, and what the decoder throws.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let names: [Key] = [.null, .integer, .real, .bits, .text, .blob]
    switch try TreeDecoding.only(names, of: "a value", in: values) {
    case .null:
      guard try values.decode(Bool.self, forKey: .null) else {
        throw TreeDecoding.refusal(at: values.codingPath, "a value that is not null has to be said")
      }
      self = .null
    case .integer: self = .integer(try values.decode(Int64.self, forKey: .integer))
    case .real: self = .real(try values.decode(Double.self, forKey: .real))
    case .bits: self = .real(Double(bitPattern: try values.decode(UInt64.self, forKey: .bits)))
    case .text: self = .text(try values.decode(String.self, forKey: .text))
    case .blob: self = .blob(try values.decode(Data.self, forKey: .blob))
    }
  }

  /// A real number that is not finite is written as its bits, since JSON has none.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .null: try values.encode(true, forKey: .null)
    case .integer(let value): try values.encode(value, forKey: .integer)
    case .real(let value) where value.isFinite: try values.encode(value, forKey: .real)
    case .real(let value): try values.encode(value.bitPattern, forKey: .bits)
    case .text(let text): try values.encode(text, forKey: .text)
    case .blob(let data): try values.encode(data, forKey: .blob)
    }
  }
}

/// What conditions and expressions refuse while they are decoded: what the tree cannot say, in whatever
/// format it comes.
enum TreeDecoding {
  /// The names under which parts lie that are a level of their own.
  private static let levelNames: Set<String> = ["a", "b", "list", "condition"]

  /// Refuses what is nested more deeply than a tree may be: before its parts are decoded, which needs the
  /// stack for each level.
  /// - Throws: `query.tooDeep`.
  static func checkDepth(_ decoder: any Decoder) throws {
    let path = decoder.codingPath
    // Each level of a junction is a name and a place in its list.
    guard path.count > PredicateJunction.greatestDepth else { return }
    let levels = path.count { levelNames.contains($0.stringValue) }
    if levels > PredicateJunction.greatestDepth { throw CauldronError.tooDeep(nil) }
  }

  /// The one of some names under which there is something: it says what kind of part it is.
  /// - Throws: `query.unsupported` where there are several, or none.
  static func only<Key: CodingKey>(
    _ names: [Key], of what: String, in values: KeyedDecodingContainer<Key>
  ) throws -> Key {
    let found = names.filter { values.contains($0) }
    if found.count == 1 { return found[0] }
    let all = names.map { "\"\($0.stringValue)\"" }.joined(separator: ", ")
    let said = found.map { "\"\($0.stringValue)\"" }.joined(separator: " and ")
    throw refusal(
      at: values.codingPath,
      "\(what) is told by one of \(all), and has \(found.isEmpty ? "none" : said)")
  }

  /// Why a tree cannot be decoded, with its place.
  static func refusal(at path: [any CodingKey], _ reason: String) -> CauldronError {
    let shown = path.suffix(8).map { $0.intValue.map(String.init) ?? $0.stringValue }
    let place = path.count > shown.count ? "…/" : "/"
    return CauldronError(
      .queryUnsupported,
      "Cannot decode the condition at \(place)\(shown.joined(separator: "/")): \(reason).",
      hint: "Encode it anew from a condition of this version.")
  }
}

extension TextOptions: Codable {
  /// - Throws: `query.unsupported` where a bit stands for no option.
  public init(from decoder: any Decoder) throws {
    let bits = try decoder.singleValueContainer().decode(Int.self)
    guard let options = TextOptions(exactly: bits) else {
      throw TreeDecoding.refusal(at: decoder.codingPath, "there are no text options \(bits)")
    }
    self = options
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
