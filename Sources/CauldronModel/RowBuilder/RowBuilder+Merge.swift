import Foundation

extension RowBuilder {
  /// Begins a copy of `base` in which the properties of `set` have their values from `source`.
  package mutating func merge(
    _ set: PropertySet, from source: RowPointer, onto base: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    var row = copy(base, layout, extra: source.size)
    for index in set.indices {
      row = copyProperty(index, from: source, to: row, layout)
    }
    row.setMaker(RowPointer.composed)
    close()
    return row
  }

  /// Gives `row` a property's value from another row; answers where the row is now.
  package mutating func copyProperty(
    _ index: Int, from source: RowPointer, to row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    let property = layout.properties[index]
    if source.isNull(index) {
      row.setNull(index)
      return row
    }
    switch property.storageClass {
    case .text, .blob:
      return setBytes(index, source.bytes(index), of: row, layout)
    case .integer, .real, nil:
      row.setSlot(index, source.slot(index))
      for slot in property.companions { row.setCompanion(source.slot(slot), at: slot) }
      return row
    }
  }

  /// Gives `row` a value in scalar form; answers where the row is now.
  package mutating func set(
    _ index: Int, _ scalar: AttributeScalar, of row: RowPointer, _ layout: EntityLayout
  ) -> RowPointer {
    switch scalar {
    case .null:
      row.setNull(index)
      return row
    case .integer(let value):
      row.setSlot(index, value)
      return row
    case .real(let value):
      row.setSlot(index, Int64(bitPattern: value.bitPattern))
      return row
    case .text(let text):
      var text = text
      return text.withUTF8 { setBytes(index, UnsafeRawBufferPointer($0), of: row, layout) }
    case .blob(let data):
      return data.withUnsafeBytes { setBytes(index, $0, of: row, layout) }
    }
  }
}
