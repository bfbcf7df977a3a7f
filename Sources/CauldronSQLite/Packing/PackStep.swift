internal import CCauldron
internal import CSQLite
import CauldronModel

/// How one cell of a result becomes one slot of a packed row.
typealias PackStep = cauldron_step

extension cauldron_step {
  enum Kind: UInt8 {
    case integer
    /// 0 or 1; other integers count as 1.
    case boolean
    case real
    case text
    case decimal
    case blob
    case uuid
    /// The order key beside a to-one; 0 where the file has none.
    case companion
    /// The entity number beside a to-one; where the file has none that is possible, the fallback.
    case entityKey

    /// Whether the slot belongs to another one, and is never nil.
    var isCompanion: Bool { self == .companion || self == .entityKey }

    /// How values of a form are packed and bound.
    init(_ form: ValueForm) {
      self =
        switch form {
        case .integer: .integer
        case .boolean: .boolean
        case .real: .real
        case .text: .text
        case .decimal: .decimal
        case .blob, .encoded: .blob
        case .uuid: .uuid
        }
    }
  }

  var kind: Kind { Kind(rawValue: conversion) ?? .blob }

  /// - Parameter range: The integers that the slot may hold.
  init(
    _ kind: Kind, argument: Int32, slot: Int, property: Int, fallback: Int32 = 0,
    range: ClosedRange<Int64> = .min ... .max
  ) {
    let expected: Int32 =
      switch kind {
      case .integer, .boolean: SQLITE_INTEGER
      case .real: SQLITE_FLOAT
      case .text: SQLITE_TEXT
      case .blob: SQLITE_BLOB
      // Every cell needs a conversion or a check.
      case .decimal, .uuid, .companion, .entityKey: 0
      }
    self.init(
      conversion: kind.rawValue, takes_null: kind.isCompanion ? 0 : 1,
      expected: Int16(expected), argument: argument, slot: Int32(slot),
      property: Int32(property), fallback: fallback, low: range.lowerBound,
      width: UInt64(bitPattern: range.upperBound &- range.lowerBound))
  }

  /// Whether the slot may hold an integer.
  func takes(_ integer: Int64) -> Bool { UInt64(bitPattern: integer &- low) <= width }
}

/// The steps for the rows of one concrete entity.
struct PackedEntity {
  /// The entity's number, shifted to its place in word 1; negative where no such entity is expected.
  let numberWord: Int64
  let leadingWords: Int
  let slotCount: Int
  /// Whether some slots have no column and must be cleared.
  let hasGaps: Bool
  let steps: UnsafeMutableBufferPointer<PackStep>

  /// The entity's number in the model.
  var number: Int32 { Int32(bitPattern: cauldron_row_upper(numberWord)) }
}
