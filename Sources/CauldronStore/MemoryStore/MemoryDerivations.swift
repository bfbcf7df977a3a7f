import CauldronModel
import CauldronQuery
import Foundation

/// The derived attributes of a memory store that are no counts, computed anew for all rows that they may
/// concern.
struct MemoryDerivations: Sendable {
  /// A value that a row is to have.
  struct DerivedValue {
    let entity: EntityLayout
    let key: Int64
    let property: Int
    let scalar: AttributeScalar
  }

  private struct Derived: Sendable {
    unowned(unsafe) let owner: EntityLayout
    let property: Int
    let source: Source
  }

  private enum Source: Sendable {
    case now
    /// A form of another attribute of the same row.
    case own(Derivation.TextForm, attribute: Int)
    /// An attribute of what a reference leads to.
    case value(reference: Int, EntityLayout.Unowned, attribute: Int)
    /// The sum of an attribute over the rows that refer to one.
    case sum(EntityLayout.Unowned, reference: Int, attribute: Int)
  }

  private let all: [Derived]
  /// The rows that were written since the last time, by their roots.
  private var written: [Int32: Set<Int64>] = [:]
  /// The rows in which values were derived since then.
  private var derivedRows: [Int32: Set<Int64>] = [:]

  init(_ model: ManagedObjectModel) {
    all = model.entityLayouts.flatMap { layout in
      layout.ownProperties.compactMap { property in
        Self.source(of: property, in: layout).map {
          Derived(owner: layout, property: property.index, source: $0)
        }
      }
    }
  }

  private static func source(of property: PropertyLayout, in layout: EntityLayout) -> Source? {
    guard case .attribute(let attribute) = property.description else { return nil }
    func end(_ name: String) -> (property: PropertyLayout, entity: EntityLayout)? {
      guard let index = layout.index(of: name),
        let entity = layout.properties[index].destination?.entity
      else { return nil }
      return (layout.properties[index], entity)
    }
    switch layout.derivation(of: attribute) {
    case .now?: return .now
    case .own(let form, let name)?:
      return layout.index(of: name).map { .own(form, attribute: $0) }
    case .value(let name, let relationship)?:
      guard let end = end(relationship), let index = end.entity.index(of: name) else { return nil }
      return .value(
        reference: end.property.index, .init(entity: end.entity), attribute: index)
    case .sum(let name, let relationship)?:
      guard let end = end(relationship), end.property.join == nil,
        let inverse = end.property.destination?.inverse, let index = end.entity.index(of: name)
      else { return nil }
      return .sum(.init(entity: end.entity), reference: inverse, attribute: index)
    case .count?, .other?, nil: return nil
    }
  }

  /// How many values may be derived one from the other.
  static let mostRounds = 32

  var isEmpty: Bool { all.isEmpty }

  /// Takes in that a row was written or removed.
  mutating func note(_ key: Int64, in root: Int32) {
    if !all.isEmpty { written[root, default: []].insert(key) }
  }

  /// Takes in that values were derived in a row.
  mutating func noteDerived(_ key: Int64, in root: Int32) {
    if !all.isEmpty { derivedRows[root, default: []].insert(key) }
  }

  /// The values that rows are to have after what was written.
  /// - Complexity: O(rows of the entities that have such attributes, and of those that these are computed from).
  mutating func takeValues(in tables: [Int32: [Int64: HeldRow]]) -> [DerivedValue] {
    defer { (written, derivedRows) = ([:], [:]) }
    return all.flatMap { values(of: $0, in: tables) }
  }

  private func values(of derived: Derived, in tables: [Int32: [Int64: HeldRow]]) -> [DerivedValue] {
    let owners = tables[derived.owner.rootNumber] ?? [:]
    func value(of key: Int64, _ scalar: AttributeScalar) -> DerivedValue {
      DerivedValue(entity: derived.owner, key: key, property: derived.property, scalar: scalar)
    }
    switch derived.source {
    case .now:
      let now = AttributeScalar.real(Date().timeIntervalSinceReferenceDate)
      return (written[derived.owner.rootNumber] ?? []).sorted().map { value(of: $0, now) }
    case .own(let form, let attribute):
      guard let storage = derived.owner.properties[attribute].storageClass else { return [] }
      let root = derived.owner.rootNumber
      let keys = (written[root] ?? []).union(derivedRows[root] ?? [])
      return keys.compactMap { key in
        guard let held = owners[key], derived.owner.includes(held.row.entityNumber) else {
          return nil
        }
        let scalar = held.row.isNull(attribute) ? .null : held.row.scalar(attribute, storage)
        guard case .text(let text) = scalar else { return value(of: key, scalar) }
        return value(of: key, .text(TextFold.form(form, of: text)))
      }
    case .value(let reference, let end, let attribute):
      guard concerns(derived.owner, and: end.entity),
        let storage = end.entity.properties[attribute].storageClass
      else { return [] }
      return owners.compactMap { key, held in
        guard derived.owner.includes(held.row.entityNumber) else { return nil }
        let target = held.row.isNull(reference) ? nil : held.row.slot(reference)
        let row = target.flatMap { tables[end.entity.rootNumber]?[$0]?.row }
        return value(of: key, row.map { $0.scalar(attribute, storage) } ?? .null)
      }
    case .sum(let end, let reference, let attribute):
      guard concerns(derived.owner, and: end.entity) else { return [] }
      let sums = sums(of: attribute, over: end.entity, by: reference, in: tables)
      let isReal = end.entity.properties[attribute].storageClass == .real
      return owners.keys.map { value(of: $0, sums[$0] ?? (isReal ? .real(0) : .integer(0))) }
    }
  }

  private func concerns(_ owner: EntityLayout, and end: EntityLayout) -> Bool {
    [owner.rootNumber, end.rootNumber].contains { root in
      written[root] != nil || derivedRows[root] != nil
    }
  }

  private func sums(
    of attribute: Int, over entity: EntityLayout, by reference: Int,
    in tables: [Int32: [Int64: HeldRow]]
  ) -> [Int64: AttributeScalar] {
    let storage = entity.properties[attribute].storageClass
    var result: [Int64: AttributeScalar] = [:]
    for held in (tables[entity.rootNumber] ?? [:]).values {
      let row = held.row
      guard entity.includes(row.entityNumber), !row.isNull(reference), !row.isNull(attribute) else {
        continue
      }
      switch (storage, result[row.slot(reference)]) {
      case (.real?, .real(let sum)?): result[row.slot(reference)] = .real(sum + row.real(attribute))
      case (.real?, _): result[row.slot(reference)] = .real(row.real(attribute))
      case (.integer?, .integer(let sum)?):
        result[row.slot(reference)] = .integer(sum &+ row.slot(attribute))
      case (.integer?, _): result[row.slot(reference)] = .integer(row.slot(attribute))
      default: continue
      }
    }
    return result
  }
}
