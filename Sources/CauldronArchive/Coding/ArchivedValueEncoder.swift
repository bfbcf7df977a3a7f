import Foundation

/// Makes archived values of Codable ones: structures become dictionaries by the names of their coding keys, and
/// dates, bytes, URLs, UUIDs and decimals stay what they are.
struct ArchivedValueEncoder {
  /// - Throws: What the value's own encoding throws.
  static func value(_ value: any Encodable) throws -> ArchivedValue {
    let slot = Slot()
    try slot.encode(value, path: [])
    return slot.value
  }
}

/// The place of a value that is being encoded.
private final class Slot {
  private enum Content {
    case none
    case value(ArchivedValue)
    case list([Slot])
    case members([(key: String, slot: Slot)])
  }

  private var content = Content.none
  /// Whether the elements have no order.
  private var isSet = false

  var value: ArchivedValue {
    switch content {
    case .none: .dictionary([:])
    case .value(let value): value
    case .list(let slots): isSet ? .set(Set(slots.map(\.value))) : .array(slots.map(\.value))
    case .members(let members):
      .dictionary(Dictionary(members.map { (.text($0.key), $0.slot.value) }) { _, last in last })
    }
  }

  var count: Int { if case .list(let slots) = content { slots.count } else { 0 } }

  func set(_ value: ArchivedValue) { content = .value(value) }

  func beginList() { if case .list = content {} else { content = .list([]) } }

  func beginMembers() { if case .members = content {} else { content = .members([]) } }

  func appended() -> Slot {
    let slot = Slot()
    if case .list(let slots) = content { content = .list(slots + [slot]) }
    return slot
  }

  func member(_ key: String) -> Slot {
    let slot = Slot()
    if case .members(let members) = content { content = .members(members + [(key, slot)]) }
    return slot
  }

  func encode(_ value: any Encodable, path: [any CodingKey]) throws {
    switch value {
    case let value as Date: set(.date(value))
    case let value as Data: set(.data(value))
    case let value as URL: set(.url(value.absoluteURL))
    case let value as UUID: set(.uuid(value))
    case let value as Decimal:
      if value.isNaN {
        throw EncodingError.invalidValue(
          value, .init(codingPath: path, debugDescription: "NaN is no decimal number"))
      }
      set(.decimal(value))
    default:
      guard path.count <= ArchivedValue.deepest else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: [], debugDescription: "It is nested too deeply."))
      }
      isSet = Mirror(reflecting: value).displayStyle == .set
      try value.encode(to: SlotEncoder(slot: self, codingPath: path))
    }
  }
}

private struct SlotEncoder: Encoder {
  let slot: Slot
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.beginMembers()
    return KeyedEncodingContainer(SlotMembers(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.beginList()
    return SlotList(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SlotValue(slot: slot, codingPath: codingPath)
  }
}

private struct SlotKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}

private struct SlotMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: Slot
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { slot.member(key.stringValue).set(.null) }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try slot.member(key.stringValue).encode(value, path: codingPath + [key])
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    SlotEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
      .container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    SlotEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
      .unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    SlotEncoder(slot: slot.member("super"), codingPath: codingPath)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    SlotEncoder(slot: slot.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct SlotList: UnkeyedEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var count: Int { slot.count }
  private var path: [any CodingKey] { codingPath + [SlotKey(stringValue: "\(count)")] }

  init(slot: Slot, codingPath: [any CodingKey]) {
    self.slot = slot
    self.codingPath = codingPath
  }

  mutating func encodeNil() { slot.appended().set(.null) }

  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try slot.appended().encode(value, path: path)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    SlotEncoder(slot: slot.appended(), codingPath: path).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    SlotEncoder(slot: slot.appended(), codingPath: path).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    SlotEncoder(slot: slot.appended(), codingPath: path)
  }
}

private struct SlotValue: SingleValueEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]

  func encodeNil() { slot.set(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let value as Bool: slot.set(.boolean(value))
    case let value as String: slot.set(.text(value))
    case let value as Double: slot.set(.real(value))
    case let value as Float: slot.set(.real(Double(value)))
    case let value as any BinaryInteger:
      guard let value = Int(exactly: value) else {
        throw EncodingError.invalidValue(
          value, .init(codingPath: codingPath, debugDescription: "It has more than 63 bits."))
      }
      slot.set(.integer(value))
    default: try slot.encode(value, path: codingPath + [SlotKey(stringValue: "value")])
    }
  }
}
