internal import CCauldron
import Foundation

/// An entity as the engine uses it: its properties numbered, its inheritance resolved.
///
/// `@unchecked Sendable` because every property is written only while the model is being built.
@usableFromInline
package final class EntityLayout: @unchecked Sendable {
  package let name: String
  /// Its place in the model, from 1: hierarchies depth-first, names without regard to case. It is the
  /// `Z_ENT` of new stores; others may have other numbers.
  @usableFromInline package let number: Int32
  /// The number of the entity at the top of the hierarchy, which names the table.
  package let rootNumber: Int32
  package let isAbstract: Bool
  /// Whether the rows are those of a join table: links of a many-to-many relationship, which the
  /// model does not describe as an entity.
  package let isJoin: Bool
  package let description: EntityDescription
  @exclusivity(unchecked) package internal(set) var properties: [PropertyLayout]
  /// The slots of a row: one a property, then one for each to-one into a hierarchy and for each
  /// that has a place among others.
  package let slotCount: Int
  /// The words of null bits before the row.
  package let leadingWords: Int
  package let superentityReference: Unowned?
  package var superentity: EntityLayout? { superentityReference?.entity }
  /// The entity itself and all below it, in the order of their numbers.
  @usableFromInline @exclusivity(unchecked)
  package internal(set) var family: [Unowned] = []
  @exclusivity(unchecked) package internal(set) var versionHash: [UInt8] = []
  /// The hash that stores of this library had before derived attributes entered as in Core Data; nil where the
  /// entity has none.
  @exclusivity(unchecked) package internal(set) var formerHash: [UInt8]?
  /// A row with the constant defaults; new rows are copies of it.
  package let template: HeldRow
  /// A row of nothing but nil, for objects whose row does not exist.
  package let zero: HeldRow
  /// The properties whose default is made anew for each object.
  package let computedDefaults: [(index: Int, make: @Sendable () -> AttributeScalar)]

  /// What the engine asks of the properties again and again; set when the model is built.
  @exclusivity(unchecked) package internal(set) var digest = LayoutDigest([]) {
    didSet { ways = properties.map(ToOneWay.init) }
  }

  /// Where the to-one relationships lead, by the properties' indexes; made with the digest.
  @exclusivity(unchecked) package internal(set) var ways: [ToOneWay] = []

  /// What must be unique in a row of the entity; set when the model is built.
  @exclusivity(unchecked) package internal(set) var uniqueKeys: [UniqueKey] = []

  private let indices: [String: Int]

  /// A reference that does not keep alive: layouts live as long as their model.
  @frozen @usableFromInline
  package struct Unowned: Sendable {
    @usableFromInline package unowned(unsafe) let entity: EntityLayout

    package init(entity: EntityLayout) { self.entity = entity }
  }

  init(
    description: EntityDescription, number: Int32, properties: [PropertyLayout],
    superentity: EntityLayout?, isJoin: Bool = false
  ) {
    self.isJoin = isJoin
    name = description.name
    self.number = number
    rootNumber = superentity?.rootNumber ?? number
    isAbstract = description.isAbstract
    self.description = description
    self.properties = properties
    superentityReference = superentity.map(Unowned.init)
    slotCount = properties.reduce(properties.count) { $0 + $1.companions.count }
    leadingWords = cauldron_row_leading_words(properties.count)
    indices = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.index) })
    computedDefaults = properties.compactMap { property in
      guard case .attribute(let attribute) = property.description,
        case .computed(let make) = attribute.defaultValue, attribute.hasColumn
      else { return nil }
      return (property.index, make)
    }
    let rows = TemplateRows(
      number: number, properties: properties, slotCount: slotCount, leadingWords: leadingWords)
    zero = rows.zero
    template = rows.template
  }

  /// Whether the entity has what descriptions cannot say.
  package var isPartial: Bool { description.isPartial }

  /// The bytes of a row before its texts, from word 0.
  package var fixedSize: Int { (RowPointer.header + slotCount) * 8 }

  /// The entity at the top of the hierarchy, which names the table; often the entity itself.
  package var root: EntityLayout { superentity?.root ?? self }

  /// The properties that the entity declares itself, hidden ends included; an inherited one is at the same index
  /// above.
  package var ownProperties: [PropertyLayout] { properties.filter { $0.declaring == number } }

  /// The fetched property with a name, which a superentity may declare.
  package func fetchedProperty(_ name: String) -> FetchRequestTemplate? {
    description.fetchedProperties.first { $0.name == name } ?? superentity?.fetchedProperty(name)
  }

  /// What an attribute of the entity is derived from; `.other` where the entity has no such source for a form of a
  /// text, and nil where the attribute is set.
  package func derivation(of attribute: AttributeDescription) -> Derivation? {
    switch attribute.derived {
    case .value(let name, let first)?
    where index(of: first).map { properties[$0].isComposite } == true:
      return own(.same, of: "\(first).\(name)", for: attribute)
    case .own(let form, let name)?: return own(form, of: name, for: attribute)
    case let derived: return derived
    }
  }

  private func own(
    _ form: Derivation.TextForm, of name: String, for attribute: AttributeDescription
  ) -> Derivation {
    guard name != attribute.name, let index = index(of: name),
      case .attribute(let type) = properties[index].kind, type == attribute.type,
      form == .same || type == .string
    else { return .other(attribute.derivation ?? "") }
    return .own(form, of: name)
  }

  /// The elements of a composite attribute, without theirs.
  package func elements(of property: PropertyLayout) -> [PropertyLayout] {
    let prefix = "\(property.name)."
    return declaredProperties.filter {
      $0.name.hasPrefix(prefix) && !$0.name.dropFirst(prefix.count).contains(".")
    }
  }

  /// The names of a path with those of a composite attribute and of its element as one: `location.latitude`.
  package func joiningElements(_ steps: ArraySlice<String>) -> ArraySlice<String> {
    guard steps.count > 1, let first = steps.first, let index = index(of: first),
      properties[index].isComposite
    else { return steps }
    for end in steps.indices.dropFirst().reversed() {
      let name = steps[...end].joined(separator: ".")
      if self.index(of: name) != nil { return [name] + steps[(end + 1)...] }
    }
    return steps
  }

  /// The properties that the model has, without hidden ends of one-way relationships.
  package var declaredProperties: [PropertyLayout] { properties.filter { !$0.isHidden } }

  /// The index of the property with a name.
  package func index(of name: String) -> Int? { indices[name] }

  /// The numbers of the entity itself and all below it, which follow one another.
  package var familyNumbers: ClosedRange<Int64> {
    Int64(number)...Int64(number) + Int64(max(family.count, 1) - 1)
  }

  /// Whether a number is that of the entity or of one of its subentities.
  @inlinable
  package func includes(_ number: Int32) -> Bool {
    number >= self.number && Int(number) < Int(self.number) + family.count
  }

  /// Whether the entity is `other` or one of its subentities.
  package func isKind(of other: EntityLayout) -> Bool {
    self === other || (superentity?.isKind(of: other) ?? false)
  }
}

/// Properties of which no two rows of a hierarchy have the same values, all taken together.
package struct UniqueKey: Sendable {
  /// The number among those of the hierarchy.
  package let number: Int
  package let properties: [PropertyLayout]
  /// The properties as a set of indices.
  package let set: PropertySet

  init(number: Int, properties: [PropertyLayout]) {
    self.number = number
    self.properties = properties
    set = PropertySet(properties.map(\.index))
  }

  package var names: [String] { properties.map(\.name) }
}

extension EntityLayout {
  /// The properties that have a part in a unique key.
  package var uniqueProperties: PropertySet {
    uniqueKeys.reduce(PropertySet()) { $0.union($1.set) }
  }

  /// The topmost entity that has one of its unique keys: no two objects of that have the same values.
  package func scope(of key: UniqueKey) -> EntityLayout {
    guard let superentity,
      superentity.uniqueKeys.contains(where: { $0.number == key.number })
    else { return self }
    return superentity.scope(of: key)
  }

  /// Gives each entity of a hierarchy the keys whose properties it has: a constraint holds for all who
  /// share its columns, whichever of them declares it.
  static func distributeUniqueKeys(below root: EntityLayout) {
    var number = 0
    for declaring in root.family.map(\.entity) {
      for names in declaring.description.uniquenessConstraints {
        let owners = names.compactMap(declaring.owner)
        // What is wrong with others is reported by the check of the model.
        guard owners.count == names.count, !names.isEmpty else { continue }
        for entity in root.family.map(\.entity) where owners.allSatisfy(entity.isKind) {
          let properties = names.compactMap(entity.index).map { entity.properties[$0] }
          entity.uniqueKeys.append(UniqueKey(number: number, properties: properties))
        }
        number += 1
      }
    }
  }

  /// The topmost entity that has a property.
  private func owner(_ name: String) -> EntityLayout? {
    guard let index = index(of: name), properties[index].hasColumn else { return nil }
    var owner = self
    while let parent = owner.superentity, parent.index(of: name) != nil { owner = parent }
    return owner
  }
}

extension EntityLayout {
  /// The entity that declares a property: itself, or one above.
  package func owner(of property: PropertyLayout) -> EntityLayout {
    guard property.declaring != number, let parent = superentity else { return self }
    return parent.owner(of: property)
  }
}

/// Builds the two rows that every entity has: all nil, and the constant defaults.
struct TemplateRows {
  let zero: HeldRow
  let template: HeldRow

  init(number: Int32, properties: [PropertyLayout], slotCount: Int, leadingWords: Int) {
    var texts: [(Int, AttributeScalar)] = []
    let empty = EmptyRow(number: number, slotCount: slotCount, leadingWords: leadingWords)
    let block = RowBlock(
      minimum: 2 * (empty.size + leadingWords * 8) + Self.textBytes(properties))
    zero = empty.made(in: block)
    let row = empty.made(in: block).row
    for property in properties {
      switch Self.constant(property) {
      case .null: continue
      case .real(let value) where value.isNaN: continue
      case .integer(let value): row.setSlot(property.index, value)
      case .real(let value): row.setSlot(property.index, Int64(bitPattern: value.bitPattern))
      case let scalar: texts.append((property.index, scalar))
      }
    }
    for (index, scalar) in texts { Self.append(scalar, at: index, to: row, in: block) }
    template = HeldRow(row: row, block: block)
  }

  /// A row of an entity in which everything is nil.
  private struct EmptyRow {
    /// The entity's number.
    let number: Int32
    let slotCount: Int
    let leadingWords: Int

    /// The bytes of the row, without the leading words.
    var size: Int { (RowPointer.header + slotCount) * 8 }

    func made(in block: RowBlock) -> HeldRow {
      block.used = (block.used + 7) & ~7
      let start = block.base + block.used
      block.used += size + leadingWords * 8
      let words = start.assumingMemoryBound(to: Int64.self)
      words.initialize(repeating: 0, count: leadingWords + RowPointer.header + slotCount)
      let row = RowPointer(words + leadingWords)
      cauldron_row_clear_leading(row.words, leadingWords)
      row.words[CAULDRON_ROW_NUMBERS] = cauldron_row_pair(UInt32(number), 0)
      row.words[CAULDRON_ROW_SIZE] = cauldron_row_pair(UInt32(size), .max)
      return HeldRow(row: row, block: block)
    }
  }

  private static func append(
    _ scalar: AttributeScalar, at index: Int, to row: RowPointer, in block: RowBlock
  ) {
    let bytes = bytes(scalar)
    bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      (UnsafeMutableRawPointer(row.words) + row.size)
        .copyMemory(from: start, byteCount: source.count)
    }
    row.setSlot(index, cauldron_row_pair(UInt32(row.size), UInt32(bytes.count)))
    row.setSize(row.size + bytes.count)
    block.used += bytes.count
  }

  private static func constant(_ property: PropertyLayout) -> AttributeScalar {
    guard case .attribute(let attribute) = property.description, attribute.hasColumn else {
      return .null
    }
    // Nothing is counted before something is saved.
    if attribute.countedRelationship != nil { return .integer(0) }
    guard case .constant(let scalar) = attribute.defaultValue else { return .null }
    return scalar
  }

  private static func bytes(_ scalar: AttributeScalar) -> [UInt8] {
    switch scalar {
    case .text(let text): Array(text.utf8)
    case .blob(let data): Array(data)
    case .null, .integer, .real: []
    }
  }

  private static func textBytes(_ properties: [PropertyLayout]) -> Int {
    properties.reduce(64) { $0 + bytes(constant($1)).count }
  }
}
