import CauldronArchive
package import CauldronModel
import Foundation

extension ManagedObject {
  /// A property's value by name: a Swift value, an object, or an array of objects; nil for none.
  ///
  /// An unknown name is the programmer's mistake and traps, since this cannot throw: look for the name in
  /// ``entity`` where it comes from outside.
  /// - Complexity: As the property's getter, plus a dictionary lookup.
  public final func value(forKey key: String) -> Any? {
    _check()
    if layout.index(of: key) == nil, let found = fetched(key) { return found }
    let property = knownProperty(key)
    switch property.kind {
    case .attribute:
      _ready()
      let row = RowPointer(row)
      return row.isNull(property.index) ? nil : Self.box(row, of: property)
    case .toOne: return destination(property.index)
    case .toMany: return destinations(property.index)
    case .transient:
      if property.isComposite { return composite(property) }
      awakeForTransients()
      return transientValue(property.index)
    }
  }

  /// The values of a composite attribute's elements by their names; nil where none has one.
  func composite(_ property: PropertyLayout) -> [String: Any]? {
    var values: [String: Any] = [:]
    for element in layout.elements(of: property) {
      let name = String(element.name.dropFirst(property.name.count + 1))
      values[name] = value(forKey: element.name)
    }
    return values.isEmpty ? nil : values
  }

  /// Sets the elements of a composite attribute: those that a dictionary does not name become nil.
  ///
  /// A value that cannot be set leaves all as they were. Derived elements stay what they are derived from.
  private func setComposite(_ property: PropertyLayout, to value: Any?) throws {
    for (element, value) in try elementValues(of: property, in: value) {
      try setValue(value, forKey: element.name)
    }
  }

  /// The elements, and theirs, with the values of a dictionary, all of which can be set.
  func elementValues(
    of property: PropertyLayout, in value: Any?
  ) throws -> [(PropertyLayout, Any?)] {
    let plain = ScalarConversion.plain(value) ?? [String: Any]()
    guard let values = plain as? [String: Any] else { throw mismatch(property, value: value) }
    let elements = layout.elements(of: property)
    let given = Dictionary(
      uniqueKeysWithValues: values.map { ("\(property.name).\($0)", $1) })
    let names = Set(elements.map(\.name))
    if let name = given.keys.sorted().first(where: { !names.contains($0) }) { throw unknown(name) }
    return try elements.flatMap { element -> [(PropertyLayout, Any?)] in
      if element.derivation != nil { return [] }
      if element.isComposite { return try elementValues(of: element, in: given[element.name]) }
      if let type = element.attributeType {
        _ = try scalar(given[element.name], for: element, type: type)
      }
      return [(element, given[element.name])]
    }
  }

  /// Sets a property by name; nil and `NSNull` clear it.
  ///
  /// Foundation's objects are taken as the values that they stand for: `NSNumber`, `NSString`,
  /// `NSDate`, `NSData`, `NSUUID`, `NSURL`, and arrays and sets of objects. A number is taken by any
  /// numeric attribute that can hold it.
  ///
  /// ```swift
  /// try person.setValue(NSNumber(value: 30), forKey: "age")
  /// ```
  /// - Throws: `query.typeMismatch` for a value of another type, or beyond what the attribute can
  ///   hold; `query.unsupported` for a derived attribute; `query.unknownKey` for an unknown name.
  public final func setValue(_ value: Any?, forKey key: String) throws {
    _check()
    let property = try property(key)
    if property.derivation != nil { throw CauldronError.derived(property, of: layout) }
    switch property.kind {
    case .attribute(let type):
      _ready()
      setScalar(at: property.index, to: try scalar(value, for: property, type: type))
    case .toOne:
      let value = ScalarConversion.plain(value)
      let object = value as? ManagedObject
      guard value == nil || object != nil, accepts(object, through: property) else {
        throw mismatch(property, value: value)
      }
      setDestination(through: property.index, to: object)
    case .toMany:
      guard let objects = Self.objects(value),
        objects.allSatisfy({ accepts($0, through: property) })
      else {
        throw mismatch(property, value: value)
      }
      setDestinations(through: property.index, to: objects)
    case .transient where property.isComposite: try setComposite(property, to: value)
    case .transient where !canLead(property, to: value): throw mismatch(property, value: value)
    case .transient:
      awakeForTransients()
      noteChange(of: property.index)
      makeExtras().transient[property.index] = value
    }
  }

  /// A value as an attribute keeps it.
  func scalar(
    _ value: Any?, for property: PropertyLayout, type: AttributeType
  ) throws -> AttributeScalar {
    switch ScalarConversion(value, for: property, type) {
    case .scalar(let scalar): return scalar
    case .otherType: throw mismatch(property, value: value)
    case .outOfRange: throw outOfRange(property)
    }
  }

  package final func setScalar(at index: Int, to scalar: AttributeScalar) {
    if isObserved || !isWritable { _prepareWrite(index) }
    core._withUnsafeGuaranteedRef { core in
      let new = core.drafts.builder.set(index, scalar, of: RowPointer(row), layout)
      if new.words != row { move(to: new) }
    }
  }

  /// The property with a name.
  /// - Throws: `query.unknownKey`.
  func property(_ key: String) throws -> PropertyLayout {
    if let index = layout.index(of: key) { return layout.properties[index] }
    throw unknown(key)
  }

  /// The property with a name, for a call that cannot throw.
  func knownProperty(_ key: String) -> PropertyLayout {
    if let index = layout.index(of: key) { return layout.properties[index] }
    trap(unknown(key).description)
  }

  private func unknown(_ key: String) -> CauldronError {
    CauldronError(
      .queryUnknownKey, "\(layout.name) has no property \"\(key)\".",
      hint: Suggestion.hint(for: key, among: layout.declaredProperties.map(\.name))
    ).with {
      $0.entity = layout.name
      $0.property = key
    }
  }

  func mismatch(_ property: PropertyLayout, value: Any?) -> CauldronError {
    let given = (value as? ManagedObject).map { [$0] } ?? Self.objects(value) ?? []
    if let end = property.destination?.entity,
      let wrong = given.first(where: { !$0.layout.isKind(of: end) })
    {
      return CauldronError(
        .queryTypeMismatch,
        "\(layout.name).\(property.name) leads to \(end.name); it cannot lead to"
          + " \(wrong.layout.name) \(wrong.registeredID).")
    }
    return CauldronError(
      .queryTypeMismatch,
      "\(layout.name).\(property.name) is"
        + " \(property.isComposite ? "Composite" : property.attributeType?.displayName ?? "a relationship");"
        + " it cannot be set to \(value.map { Self.noun(of: type(of: $0)) } ?? "nil").")
  }

  /// A type with its article.
  private static func noun(of type: Any.Type) -> String {
    let name = "\(type)"
    return name.first.map("AEIO".contains) == true ? "an \(name)" : "a \(name)"
  }

  private func outOfRange(_ property: PropertyLayout) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "\(layout.name).\(property.name) is \(property.attributeType?.displayName ?? "a relationship");"
        + " it cannot hold the number.")
  }

  /// Whether a transient property takes a value: a relationship leads to objects alone.
  private func canLead(_ property: PropertyLayout, to value: Any?) -> Bool {
    guard case .relationship(let relationship) = property.description else { return true }
    guard let objects = Self.objects(value) else {
      return !relationship.isToMany && ScalarConversion.plain(value) is ManagedObject
    }
    return relationship.isToMany || objects.isEmpty
  }

  /// Whether a relationship may lead to an object.
  private func accepts(_ object: ManagedObject?, through property: PropertyLayout) -> Bool {
    guard let object, let destination = property.destination?.entity else { return object == nil }
    return object.layout.isKind(of: destination)
  }

  /// The objects of a collection; none for nil.
  private static func objects(_ value: Any?) -> [ManagedObject]? {
    switch ScalarConversion.plain(value) {
    case nil: []
    case let objects as [ManagedObject]: objects
    case let objects as Set<ManagedObject>: Array(objects)
    case let objects as NSSet: objects.allObjects as? [ManagedObject]
    case let objects as NSOrderedSet: objects.array as? [ManagedObject]
    default: nil
    }
  }

  /// An attribute's value in a row that has one.
  static func box(_ row: RowPointer, of property: PropertyLayout) -> Any? {
    let index = property.index
    let slot = row.slot(index)
    let words = UnsafePointer(row.words)
    func read<Value: AttributeValue>(_: Value.Type) -> Any {
      Value._read(slot: slot, row: words, isNull: false)
    }
    return switch property.attributeType {
    case .integer16: read(Int16.self)
    case .integer32: read(Int32.self)
    case .integer64: read(Int.self)
    case .decimal: read(Decimal.self)
    case .double: read(Double.self)
    case .float: read(Float.self)
    case .string: read(String.self)
    case .boolean: read(Bool.self)
    case .date: read(Date.self)
    case .binary: read(Data.self)
    case .transformable, .composite, .undefined:
      UnencodableValue.reason(row.bytes(index)) == nil
        ? TransformedCoding.plain(Data(row.bytes(index)), by: property.transformation) : nil
    case .uuid: read(UUID.self)
    case .uri: read(URL.self)
    case nil: nil
    }
  }
}
