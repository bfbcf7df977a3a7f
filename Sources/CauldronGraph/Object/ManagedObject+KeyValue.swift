import CauldronModel
import Foundation

extension ManagedObject {
  /// A property's value by name: a Swift value, an object, or an array of objects; nil for none.
  ///
  /// An unknown name is the programmer's mistake and traps.
  /// - Complexity: As the property's getter, plus a dictionary lookup.
  public final func value(forKey key: String) -> Any? {
    _check()
    let property = property(key)
    switch property.kind {
    case .attribute(let type):
      if state.contains(.fault) { _fire() }
      let row = RowPointer(row)
      if row.isNull(property.index) { return nil }
      return Self.box(row, property.index, type)
    case .toOne: return destination(property.index)
    case .toMany: return destinations(property.index)
    case .transient: return extras?.transient[property.index]
    }
  }

  /// Sets a property by name; nil clears it.
  ///
  /// - Throws: `query.typeMismatch` for a value of another type. An unknown name traps.
  public final func setValue(_ value: Any?, forKey key: String) throws {
    _check()
    let property = property(key)
    switch property.kind {
    case .attribute(let type):
      guard let scalar = Self.unbox(value, type) else { throw mismatch(property, value) }
      setScalar(property.index, scalar)
    case .toOne:
      guard value == nil || value is ManagedObject else { throw mismatch(property, value) }
      setDestination(property.index, value as? ManagedObject)
    case .toMany:
      guard let objects = value as? [ManagedObject] else { throw mismatch(property, value) }
      setDestinations(property.index, objects)
    case .transient: makeExtras().transient[property.index] = value
    }
  }

  func setScalar(_ index: Int, _ scalar: AttributeScalar) {
    if !state.contains(.writable) { _prepareWrite() }
    core._withUnsafeGuaranteedRef { core in
      let new = core.builder.set(index, scalar, of: RowPointer(row), layout)
      if new.words != row { move(to: new) }
    }
  }

  private func property(_ key: String) -> PropertyLayout {
    if let index = layout.index(of: key) { return layout.properties[index] }
    let hint = Suggestion.hint(for: key, among: layout.properties.map(\.name))
    trap("\(layout.name) has no property \"\(key)\". \(hint)")
  }

  private func mismatch(_ property: PropertyLayout, _ value: Any?) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "\(layout.name).\(property.name) is \(property.attributeType?.displayName ?? "a relationship");"
        + " it cannot be set to a \(value.map { "\(type(of: $0))" } ?? "nil").")
  }

  private static func box(_ row: RowPointer, _ index: Int, _ type: AttributeType) -> Any {
    let slot = row.slot(index)
    let words = UnsafePointer(row.words)
    func read<Value: AttributeValue>(_: Value.Type) -> Any {
      Value._read(slot: slot, row: words, isNull: false)
    }
    return switch type {
    case .integer16: read(Int16.self)
    case .integer32: read(Int32.self)
    case .integer64: read(Int.self)
    case .decimal: read(Decimal.self)
    case .double: read(Double.self)
    case .float: read(Float.self)
    case .string: read(String.self)
    case .boolean: read(Bool.self)
    case .date: read(Date.self)
    case .binary, .transformable: read(Data.self)
    case .uuid: read(UUID.self)
    case .uri: read(URL.self)
    }
  }

  /// Whether a value of one built-in type can be kept by an attribute of another one.
  private static func accepts(_ found: AttributeType, _ wanted: AttributeType) -> Bool {
    switch (found, wanted) {
    case (.binary, .transformable), (.float, .double), (.double, .float): true
    default: found == wanted
    }
  }

  /// The scalar for a value of an attribute's type; nil if it is of another type.
  private static func unbox(_ value: Any?, _ type: AttributeType) -> AttributeScalar? {
    guard let value else { return .null }
    switch (type, value) {
    case (.integer16, let value as any FixedWidthInteger):
      return Int16(exactly: value).map { .integer(Int64($0)) }
    case (.integer32, let value as any FixedWidthInteger):
      return Int32(exactly: value).map { .integer(Int64($0)) }
    case (.integer64, let value as any FixedWidthInteger):
      return Int64(exactly: value).map(AttributeScalar.integer)
    case (.double, let value as any BinaryInteger), (.float, let value as any BinaryInteger):
      return .real(Double(value))
    case (_, let value as any AttributeValue):
      return accepts(Swift.type(of: value).attributeType, type) ? value.scalar : nil
    default: return nil
    }
  }
}
