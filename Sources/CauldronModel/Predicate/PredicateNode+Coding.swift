extension PredicateNode: Codable {
  private enum Key: String, CodingKey {
    case kind, a, b, by, options, values, path, ids, condition, list, isNegated
  }

  private enum Kind: String, Codable {
    case yes, no, comparison, text, isIn, isNil, refersTo, isSelf, quantified, all, any
  }

  /// - Throws: `object.notFound` for the ID of an object whose store is not open, `query.unsupported` for
  ///   what no condition is, `query.tooDeep`, and what the decoder throws.
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
    case .all: self = try Self.joined(.and(try value(.list)), value(.isNegated))
    case .any: self = try Self.joined(.or(try value(.list)), value(.isNegated))
    }
  }

  private static func joined(_ node: PredicateNode, _ isNegated: Bool) -> PredicateNode {
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
      try Self.encode(a, b, options, to: &values)
    case .text(let a, let search, let b, let options):
      try values.encode(Kind.text, forKey: .kind)
      try values.encode(search, forKey: .by)
      try Self.encode(a, b, options, to: &values)
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
    _ a: QueryExpression, _ b: QueryExpression, _ options: TextOptions,
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
