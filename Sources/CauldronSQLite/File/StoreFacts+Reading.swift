internal import CSQLite
import CauldronModel

extension StoreFacts {
  /// The error of a read: what the packing found, or else what SQLite said.
  func readingError(
    _ failure: SQLiteFailure, _ packing: PackFailure?, _ entity: EntityLayout
  ) -> CauldronError {
    guard failure.primary == SQLITE_MISMATCH, let packing else {
      return report(failure).reading(entity.name)
    }
    return error(packing, entity)
  }

  /// The error of a row that cannot be decoded.
  func error(_ failure: PackFailure, _ entity: EntityLayout) -> CauldronError {
    switch failure {
    case .badCell(let key, let number, let property, let expected, let found):
      let layout = schema.model.layout(number: number) ?? entity
      if layout.isJoin { return badLink(layout, property, found) }
      let name = layout.properties[property].name
      return CauldronError(
        .storeBadValue,
        "Cannot read \(layout.name).\(name) of x-coredata://\(identifier)/\(layout.name)/p\(key):"
          + " expected \(expected), found \(found)."
      ).with {
        $0.entity = layout.name
        $0.property = name
        $0.objectIDs = [id(key, layout)]
        $0.path = file.path
      }
    case .unknownEntity(let key, let found):
      return badRow(
        key, entity, "has the entity number \(found), which no entity of its table has")
    case .badVersion(let key, let number, let found):
      return badRow(
        key, schema.model.layout(number: number) ?? entity,
        "has the version \(found), which is not from 0 to \(RowPointer.greatestVersion)")
    case .badKey(let key):
      return CauldronError(
        .storeCorrupt,
        "Cannot read \(entity.name) in \"\(file.path)\": a row has the key \(key), and keys count from 1.",
        hint: file.rescue
      ).with {
        $0.entity = entity.name
        $0.path = file.path
      }
    case .tooLarge(let key):
      return badRow(key, entity, "is larger than 4 GiB")
    }
  }

  private func badLink(_ join: EntityLayout, _ end: Int, _ found: String) -> CauldronError {
    let column = schema.sqlName(join.properties[end], of: join)
    return CauldronError(
      .storeCorrupt,
      "Cannot read \(join.name) in \"\(file.path)\": in \(schema.table(of: join).name), \(column) is"
        + " no key that an object can have (found \(found)).", hint: file.rescue
    ).with { $0.path = file.path }
  }

  private func badRow(_ key: Int64, _ entity: EntityLayout, _ what: String) -> CauldronError {
    CauldronError(
      .storeBadValue, "Cannot read \(entity.name) in \"\(file.path)\": row \(key) \(what)."
    ).with {
      $0.entity = entity.name
      $0.objectIDs = [id(key, entity)]
      $0.path = file.path
    }
  }
}
