internal import CCauldron

/// What the engine asks of an entity's properties for every row, in a form that copies nothing.
package struct LayoutDigest: Sendable {
  /// The relationships that have a column.
  package let toOnes: [PropertyLayout]
  /// Those of them whose inverse has a column, too; mostly none.
  package let oneToOnes: PropertySet
  /// The attributes.
  package let attributes: PropertySet
  /// All relationships.
  package let relationships: [PropertyLayout]
  /// The relationships that refuse a deletion.
  package let denying: [PropertyLayout]
  /// The properties that have a column.
  package let columns: [Column]
  /// The properties whose bytes lie behind a row's slots.
  package let texts: [Int]
  /// The properties that must not be nil.
  package let required: Required
  /// What the attributes' rules ask, in the order of the properties; mostly nothing.
  package let rules: [RuleTest]
  /// The attributes that the store computes; mostly none.
  package let derived: [Int]
  /// The to-many relationships that a save counts.
  package let counted: [CountLimit]
  /// The to-one relationships that the other end counts.
  package let countedByOthers: [Int]

  init(_ properties: [PropertyLayout]) {
    toOnes = properties.filter { $0.kind == .toOne }
    oneToOnes = PropertySet(toOnes.filter(\.isOneToOne).map(\.index))
    attributes = PropertySet(properties.filter { $0.attributeType != nil }.map(\.index))
    relationships = properties.filter { $0.destination != nil }
    denying = relationships.filter { $0.deleteRule == .deny && !$0.isHidden }
    columns = properties.compactMap(Column.init)
    texts = columns.filter { $0.storage == .text || $0.storage == .blob }.map(\.index)
    required = Required(properties)
    rules = properties.flatMap(RuleTest.tests)
    derived = properties.filter { $0.derivation != nil }.map(\.index)
    counted = properties.filter(\.isKeptByColumns).compactMap { CountLimit($0) }
    countedByOthers = toOnes.filter { CountLimit(inverseOf: $0) != nil }.map(\.index)
  }

  /// Where a value lies in a row.
  package struct Column: Sendable {
    package let index: Int
    package let form: ValueForm
    package var storage: StorageClass { form.storageClass }
    /// Whether other slots belong to the value.
    package var hasCompanions: Bool { entitySlot != nil || orderSlot != nil }
    /// The slot with the destination's entity number.
    package let entitySlot: Int?
    /// The slot with the place among others that refer to the same object.
    package let orderSlot: Int?

    init?(_ property: PropertyLayout) {
      guard let form = property.form else { return nil }
      index = property.index
      self.form = form
      entitySlot = property.entitySlot
      orderSlot = property.orderSlot
    }
  }

  /// Tells whether a row has all its required values, in one test for most entities, and whether
  /// each value is one that a store can keep.
  @usableFromInline
  package struct Required: Sendable {
    @usableFromInline let mask: Int64
    @usableFromInline let others: [Int]
    /// What may be there and yet be no value.
    @usableFromInline let doubtful: [Doubtful]

    init(_ properties: [PropertyLayout]) {
      let required = properties.filter { $0.isRequired && $0.hasColumn }
      mask = required.filter { $0.index < CAULDRON_ROW_NEAR_NULLS }
        .reduce(0) { $0 | cauldron_row_null_bit($1.index) }
      others = required.map(\.index).filter { $0 >= CAULDRON_ROW_NEAR_NULLS }
      doubtful = properties.compactMap(Doubtful.init)
    }

    package var isEmpty: Bool { mask == 0 && others.isEmpty && doubtful.isEmpty }

    @inlinable @inline(__always)
    package func isComplete(_ row: RowPointer) -> Bool {
      row.words[CAULDRON_ROW_SIZE] & mask == 0 && others.allSatisfy { !row.isNull($0) }
        && (doubtful.isEmpty || areValues(row))
    }

    @usableFromInline
    func areValues(_ row: RowPointer) -> Bool {
      doubtful.allSatisfy { !$0.isNoValue(in: row) }
    }
  }
}

extension LayoutDigest {
  /// A property whose value may be there and yet be none: NaN where a number is required, or what
  /// could not be encoded.
  @usableFromInline
  struct Doubtful: Sendable {
    let index: Int
    let doubt: ValueForm.Doubt

    init?(_ property: PropertyLayout) {
      // Where no value is required, NaN is nil; but a loss is a loss.
      guard let doubt = property.doubt, property.isRequired || doubt.isLoss else { return nil }
      index = property.index
      self.doubt = doubt
    }

    @inline(__always)
    func isNoValue(in row: RowPointer) -> Bool {
      switch doubt {
      case .nan: row.real(index).isNaN
      case .nanText: row.isNaNText(index)
      case .unstorable(let mark): !row.isNull(index) && row.slot(index) == mark.slot
      case .unencodable: !row.isNull(index) && UnencodableValue.isMarked(row.bytes(index))
      }
    }
  }
}
