import CauldronModel

extension ContextCore {
  /// The object that was found or created by some values before, if it still has them here.
  /// - Complexity: No statement while its row is cached or pending.
  func remembered(_ values: UniqueValues, _ key: UniqueKey) -> ManagedObject? {
    guard let id = identity.found[values], !coordinator.ledger.others.haveWritten else {
      return nil
    }
    if let known = registeredObject(id), !known.isShownAlive { return nil }
    guard let object = try? existingObject(id), object.isShownAlive else {
      return nil
    }
    let unique = UniqueValue(key)
    func has(_ row: RowPointer) -> Bool {
      unique.values(of: row).map { UniqueValues($0, of: key, in: object.layout) } == values
    }
    // The object may not show yet what others have saved.
    guard has(RowPointer(object.row)), let seen = try? row(of: object), has(seen.row) else {
      return nil
    }
    return object
  }
}
