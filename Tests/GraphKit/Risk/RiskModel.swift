import Cauldron

/// A row of plain values.
@Entity final class Card: ManagedObject {
  var number: Int = 0
  @Attribute(.range(0...999)) var value: Int = 0
  var weight: Int = 0
}

/// One end of a one-to-one relationship.
@Entity final class Seat: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship(inverse: \Guest.seat) var guest: Guest?
}

/// The other end.
@Entity final class Guest: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship var seat: Seat?
}

/// An object with a unique value.
@Entity final class Label: ManagedObject {
  var number: Int = 0
  @Attribute(.unique) var name: String?
  var value: Int = 0
}

/// The owner of a relationship that cascades.
@Entity final class Binder: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship(deleteRule: .cascade) var sheets: ToMany<Sheet>
}

@Entity final class Sheet: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship(inverse: \Binder.sheets) var binder: Binder?
}

/// The owner of a relationship that its members must have.
@Entity final class Holder: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship var parts: ToMany<Part>
}

@Entity final class Part: ManagedObject {
  var number: Int = 0
  var value: Int = 0
  @Relationship(.required, inverse: \Holder.parts) var holder: Holder?
}

/// What all objects of a risky run have.
protocol RiskObject: ManagedObject {
  /// By which the run knows the object.
  var number: Int { get set }
  var value: Int { get set }
}

extension Card: RiskObject {}
extension Seat: RiskObject {}
extension Guest: RiskObject {}
extension Label: RiskObject {}
extension Binder: RiskObject {}
extension Sheet: RiskObject {}
extension Holder: RiskObject {}
extension Part: RiskObject {}

/// An entity of a risky run, and how its objects are reached.
enum RiskKind: CaseIterable {
  case card, seat, guest, label, binder, sheet, holder, part

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        Card._describeEntity(), Seat._describeEntity(), Guest._describeEntity(),
        Label._describeEntity(), Binder._describeEntity(), Sheet._describeEntity(),
        Holder._describeEntity(), Part._describeEntity(),
      ])
  }

  /// What is compared of such an object.
  var properties: [RiskProperty] {
    switch self {
    case .card: [.value, .weight]
    case .seat: [.value, .guest]
    case .guest: [.value, .seat]
    case .label: [.value, .name]
    case .binder, .holder: [.value]
    case .sheet: [.value, .binder]
    case .part: [.value, .holder]
    }
  }

  /// How many there are at first.
  var population: Int {
    switch self {
    case .card, .label: 4
    case .seat, .guest, .sheet, .part: 3
    case .binder, .holder: 2
    }
  }

  func create(_ number: Int, in context: ManagedObjectContext) -> ManagedObject {
    let object: any RiskObject =
      switch self {
      case .card: Card.create(in: context)
      case .seat: Seat.create(in: context)
      case .guest: Guest.create(in: context)
      case .label: Label.create(in: context)
      case .binder: Binder.create(in: context)
      case .sheet: Sheet.create(in: context)
      case .holder: Holder.create(in: context)
      case .part: Part.create(in: context)
      }
    object.number = number
    return object
  }

  func objects(in context: ManagedObjectContext) throws -> [ManagedObject] {
    switch self {
    case .card: try Card.findAll(in: context)
    case .seat: try Seat.findAll(in: context)
    case .guest: try Guest.findAll(in: context)
    case .label: try Label.findAll(in: context)
    case .binder: try Binder.findAll(in: context)
    case .sheet: try Sheet.findAll(in: context)
    case .holder: try Holder.findAll(in: context)
    case .part: try Part.findAll(in: context)
    }
  }

  func count(in context: ManagedObjectContext) throws -> Int {
    switch self {
    case .card: try Card.count(in: context)
    case .seat: try Seat.count(in: context)
    case .guest: try Guest.count(in: context)
    case .label: try Label.count(in: context)
    case .binder: try Binder.count(in: context)
    case .sheet: try Sheet.count(in: context)
    case .holder: try Holder.count(in: context)
    case .part: try Part.count(in: context)
    }
  }

  /// The rows that a context fetches, without an object.
  func rows(in context: ManagedObjectContext) throws -> [(number: Int, row: RiskRow)] {
    switch self {
    case .card:
      try Card.select(\.number, \.value, \.weight).fetch(in: context)
        .map { ($0.0, [.value: $0.1, .weight: $0.2]) }
    case .seat:
      try Seat.select { ($0.number, $0.value, $0.guest.number) }.fetch(in: context)
        .map { ($0.0 ?? -1, RiskRow($0.1, .guest, $0.2)) }
    case .guest:
      try Guest.select { ($0.number, $0.value, $0.seat.number) }.fetch(in: context)
        .map { ($0.0 ?? -1, RiskRow($0.1, .seat, $0.2)) }
    case .label:
      try Label.select { ($0.number, $0.value, $0.name) }.fetch(in: context)
        .map { ($0.0 ?? -1, RiskRow($0.1, .name, $0.2.flatMap(RiskProperty.name(of:)))) }
    case .binder:
      try Binder.select(\.number, \.value).fetch(in: context).map { ($0.0, [.value: $0.1]) }
    case .holder:
      try Holder.select(\.number, \.value).fetch(in: context).map { ($0.0, [.value: $0.1]) }
    case .sheet:
      try Sheet.select { ($0.number, $0.value, $0.binder.number) }.fetch(in: context)
        .map { ($0.0 ?? -1, RiskRow($0.1, .binder, $0.2)) }
    case .part:
      try Part.select { ($0.number, $0.value, $0.holder.number) }.fetch(in: context)
        .map { ($0.0 ?? -1, RiskRow($0.1, .holder, $0.2)) }
    }
  }
}

/// A property of a risky run; references have the number of the object.
enum RiskProperty: String, CaseIterable {
  case value, weight, name, guest, seat, binder, holder

  /// The other end of a one-to-one relationship.
  var back: RiskProperty? {
    switch self {
    case .guest: .seat
    case .seat: .guest
    default: nil
    }
  }

  /// The entity that a reference leads to.
  var destination: RiskKind? {
    switch self {
    case .guest: .guest
    case .seat: .seat
    case .binder: .binder
    case .holder: .holder
    default: nil
    }
  }

  static func text(_ name: Int) -> String { "name \(name)" }
  static func name(of text: String) -> Int? { Int(text.dropFirst(5)) }
}

/// What an object has; a property that is nil is not there.
typealias RiskRow = [RiskProperty: Int]

extension [RiskProperty: Int] {
  init(_ value: Int?, _ property: RiskProperty, _ content: Int?) {
    self = [:]
    self[.value] = value
    self[property] = content
  }
}
