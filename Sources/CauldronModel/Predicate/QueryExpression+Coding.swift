import Foundation

extension QueryExpression: Codable {
  private enum Key: String, CodingKey { case value, path, by, a, b, call, of, condition }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func value<T: Decodable>(_ key: Key) throws -> T { try values.decode(T.self, forKey: key) }
    func optional<T: Decodable>(_ key: Key) throws -> T? {
      try values.decodeIfPresent(T.self, forKey: key)
    }
    if let scalar: AttributeScalar = try optional(.value) {
      self = .value(scalar)
    } else if let path: PropertyPath = try optional(.path) {
      self = .property(path)
    } else if let operation: Arithmetic = try optional(.by) {
      self = .arithmetic(operation, try value(.a), try value(.b))
    } else if let function: Function = try optional(.call) {
      self = .function(function, try value(.a))
    } else if let path: PropertyPath = try optional(.of) {
      self = .aggregate(
        try value(.b), of: path, try optional(.a), where: try optional(.condition))
    } else {
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

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    if let value = try values.decodeIfPresent(Int64.self, forKey: .integer) {
      self = .integer(value)
    } else if let value = try values.decodeIfPresent(Double.self, forKey: .real) {
      self = .real(value)
    } else if let bits = try values.decodeIfPresent(UInt64.self, forKey: .bits) {
      self = .real(Double(bitPattern: bits))
    } else if let text = try values.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text)
    } else if let data = try values.decodeIfPresent(Data.self, forKey: .blob) {
      self = .blob(data)
    } else {
      self = .null
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
