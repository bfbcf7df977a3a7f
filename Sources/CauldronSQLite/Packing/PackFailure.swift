/// Why a row could not be packed.
enum PackFailure {
  /// A cell of the wrong type.
  case badCell(key: Int64, entityNumber: Int32, property: Int, expected: String, found: String)
  /// A row whose `Z_ENT` is no entity of the table.
  case unknownEntity(key: Int64, found: String)
  /// A row whose `Z_OPT` is no version that can be counted on from.
  case badVersion(key: Int64, entityNumber: Int32, found: String)
  /// A row whose `Z_PK` is negative; such keys are those of objects that have none yet.
  case badKey(key: Int64)
  /// A row of more than 4 GiB.
  case tooLarge(key: Int64)
}
