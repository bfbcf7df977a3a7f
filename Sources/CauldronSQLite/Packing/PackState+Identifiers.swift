import CauldronModel

extension PackState {
  /// Begins a query for IDs.
  mutating func beginIDs(_ plan: PackPlan, storeNumber: Int32) {
    begin(plan)
    ids = []
    self.storeNumber = storeNumber
  }

  /// Adds the ID of a row to the result, for the time being with the entity's number in the file.
  @inline(__always)
  mutating func note(_ key: Int64, _ entityNumber: Int64) {
    if let last = ids.last, key < last.key { ascends = false }
    ids.append(
      ManagedObjectID(
        key: key, entityNumber: Int32(clamping: entityNumber), storeNumber: storeNumber))
  }

  /// The IDs as they were noted, or in the order of their keys.
  ///
  /// An entity number that the plan does not know is a failure, as it is for a row.
  mutating func finishIDs(byKey: Bool) -> [ManagedObjectID]? {
    var result = ids
    ids = []
    if readsEntity, let bad = result.first(where: { !knows(Int64($0.entityNumber)) }) {
      _ = fail(.unknownEntity(key: bad.key, found: "\(bad.entityNumber)"))
      return nil
    }
    if translatesIDs {
      result = result.map { id in
        ManagedObjectID(
          key: id.key, entityNumber: Int32(modelNumber(Int64(id.entityNumber))),
          storeNumber: id.storeNumber)
      }
    }
    if byKey, !ascends { result.sort { $0.key < $1.key } }
    return result
  }
}
