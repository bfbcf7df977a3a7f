public import CauldronModel
import Foundation

/// Writes to an object while its store is being migrated, by the names of the model.
///
/// What is set is written when the closure that was given the draft returns.
public final class MigrationDraft {
  /// The object's identity.
  public let id: MigrationID
  private let context: MigrationContext
  private let place: MigrationPlace
  private let isNew: Bool
  private var values: [Int: AttributeScalar] = [:]
  private var links: [Link] = []

  /// A change of a relationship.
  private struct Link {
    let name: String
    let other: MigrationID?
    let isRemoved: Bool
  }

  init(_ context: MigrationContext, _ place: MigrationPlace, isNew: Bool = false) {
    self.context = context
    self.place = place
    self.isNew = isNew
    id = place.id
  }

  /// The value of an attribute; nil for none.
  ///
  /// A name that the model has not, and a value that the attribute cannot have, end the migration.
  public subscript<Value: AttributeValue>(name: String) -> Value? {
    get {
      context.attempt {
        let attribute = try attribute(name)
        return try scalar(attribute).map { try context.value($0, for: attribute, of: place.entity) }
      }
    }
    set { set(name, to: newValue?.scalar ?? .null) }
  }

  /// The value of an attribute as the store keeps it; nil for none.
  public subscript(name: String) -> AttributeScalar? {
    get { context.attempt { try scalar(try attribute(name)) } }
    set { set(name, to: newValue ?? .null) }
  }

  /// Leads a relationship to an object: a to-one to this one alone, a to-many also to this one.
  /// - Parameter other: The object; nil for none, of a to-one.
  public func link(_ name: String, to other: MigrationID?) throws {
    try context.run { _ = try context.names.relationship(name, in: try entity(name)) }
    links.append(Link(name: name, other: other, isRemoved: false))
  }

  /// Has a relationship no longer lead to an object.
  public func unlink(_ name: String, from other: MigrationID) throws {
    try context.run { _ = try context.names.relationship(name, in: try entity(name)) }
    links.append(Link(name: name, other: other, isRemoved: true))
  }

  private func set(_ name: String, to scalar: AttributeScalar) {
    _ = context.attempt {
      let attribute = try attribute(name)
      guard let stored = attribute.stored(scalar) else {
        throw context.names.mismatch(attribute, of: place.entity)
      }
      values[attribute.index] = stored
      return true
    }
  }

  private func scalar(_ attribute: PropertyLayout) throws -> AttributeScalar? {
    if let value = values[attribute.index] { return value.isNull ? nil : value }
    if isNew { return attribute.constantDefault }
    return try context.scalar(
      MigrationProperty(attribute, place.entity, isOld: false), key: place.key)
  }

  private func attribute(_ name: String) throws -> PropertyLayout {
    try context.names.attribute(name, in: try entity(name))
  }

  /// The entity that a name is one of.
  private func entity(_ name: String) throws -> EntityLayout {
    guard place.isGone else { return place.entity }
    throw context.names.noPath(
      "Cannot write \(place.entity.name).\(name): the model has no entity \(place.entity.name).",
      entity: place.entity.name, among: [])
  }

  /// Writes what was set, and then the links.
  func write() throws {
    try context.run {
      if isNew {
        try context.tables.insert(place, values)
      } else if !values.isEmpty {
        try context.tables.update(place, values)
      }
    }
    for link in links {
      if link.isRemoved, let other = link.other {
        try context.unlink(id, link.name, from: other)
      } else {
        try context.link(id, link.name, to: link.other)
      }
    }
  }
}

extension PropertyLayout {
  /// The scalar as a store keeps it for the attribute; nil where it can be none of its values.
  func stored(_ scalar: AttributeScalar) -> AttributeScalar? {
    if case .unstorable(let value)? = doubt, scalar == .integer(value.slot) { return nil }
    switch (form, scalar) {
    case (_, .null): return .null
    case (.integer, .integer(let number)):
      return attributeType?.integerRange?.contains(number) == false ? nil : scalar
    case (.integer, .real(let number)):
      return Int64(exactly: number).flatMap { stored(.integer($0)) }
    case (.boolean, .integer(let number)): return (0...1).contains(number) ? scalar : nil
    case (.real, .real(let number)): return real(number)
    case (.real, .integer(let number)): return real(Double(number))
    case (.decimal, .integer(let number)): return .text("\(number)")
    case (.decimal, .real(let number)) where number.isFinite:
      return DecimalNumber("\(number)") == nil ? nil : .text("\(number)")
    case (.decimal, .real): return .null
    case (.decimal, .text(let text)): return DecimalNumber(text) == nil ? nil : scalar
    case (.text, .text), (.blob, .blob), (.encoded, .blob): return scalar
    case (.uuid, .blob(let data)): return data.count == 16 ? scalar : nil
    default: return nil
    }
  }

  private func real(_ number: Double) -> AttributeScalar {
    // No store keeps what is no number.
    if number.isNaN { return .null }
    return .real(attributeType == .float ? Double(Float(number)) : number)
  }
}
