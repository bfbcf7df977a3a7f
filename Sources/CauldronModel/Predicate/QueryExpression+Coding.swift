import Foundation

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
        throw TreeDecoding.refusal(values.codingPath, "a value that is not null has to be said")
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
