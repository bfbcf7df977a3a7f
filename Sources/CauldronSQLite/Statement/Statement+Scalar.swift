internal import CSQLite
import CauldronModel
import Foundation

extension Statement {
  /// A cell in the form that values share.
  func scalar(_ column: Int32) -> AttributeScalar {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(Data(bytes(column)))
    default: .null
    }
  }
}
