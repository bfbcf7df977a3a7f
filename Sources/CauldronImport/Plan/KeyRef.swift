import CauldronModel

/// Objects, named by what identifies them in an import.
struct KeyRef: Hashable {
  let place: KeyPlace
  let value: KeyValue

  init(_ place: KeyPlace, _ value: KeyValue) {
    self.place = place
    self.value = value
  }

  init(_ key: KeyPlan, _ value: KeyValue) { self.init(key.place, value) }

  init(_ attribute: AttributePlan, _ value: AttributeScalar) {
    self.init(KeyPlace(attribute), .one(value))
  }
}

/// By what objects are found.
struct KeyPlace: Hashable {
  /// The number of the entity that has the key, and above which none has it.
  private let entity: Int32
  /// The index of the only attribute; of several together the number of their constraint, counted
  /// down from -1.
  private let number: Int32

  /// That of one attribute.
  init(_ attribute: AttributePlan) {
    entity = attribute.scope
    number = Int32(attribute.index)
  }

  /// That of attributes which are unique together.
  init(_ key: UniqueKey, of scope: EntityLayout) {
    entity = scope.number
    number = -1 - Int32(key.number)
  }
}

/// What an object has as its key: one value, or one for each of several attributes.
enum KeyValue: Hashable, Sendable {
  case one(AttributeScalar)
  /// In the order of the key's parts.
  case several([AttributeScalar])

  /// The values of all parts.
  var all: [AttributeScalar] {
    switch self {
    case .one(let value): [value]
    case .several(let values): values
    }
  }

  /// Whether one of the parts has no value, so that no object is meant.
  var isNull: Bool {
    switch self {
    case .one(let value): value.isNull
    case .several(let values): values.contains(where: \.isNull)
    }
  }

  static func == (a: KeyValue, b: KeyValue) -> Bool {
    switch (a, b) {
    case (.one(let a), .one(let b)): a == b
    case (.several(let a), .several(let b)): a == b
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .one(let value): value.hash(into: &hasher)
    case .several(let values): for value in values { value.hash(into: &hasher) }
    }
  }
}
