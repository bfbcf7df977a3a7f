/// Why a row could not be packed.
enum PackFailure {
  /// A cell of the wrong type.
  case badCell(key: Int64, entityNumber: Int32, property: Int, expected: String, found: String)
  /// A row whose `Z_ENT` is no entity of the table.
  case unknownEntity(key: Int64, number: Int64)
  /// A row of more than 4 GiB.
  case tooLarge(key: Int64)
}
