/// Identifies an object for ever: in every context, before and after it is saved.
///
/// An ID is small and Sendable, and the only part of an object that may cross queues. It is fixed
/// when the object is created, unlike Core Data's temporary IDs; only an object that was created
/// while somebody else wrote to the store gets another one when it is saved there. The old one leads
/// to the object as long as its stack exists, but is not equal to the new one.
public struct ManagedObjectID: Hashable, Sendable {
  /// The row's `Z_PK`; unique in the table of the root entity.
  @usableFromInline package let key: Int64
  /// The entity's number in its model.
  @usableFromInline package let entityNumber: Int32
  /// The number of the open store in this process.
  @usableFromInline package let storeNumber: Int32

  @inlinable @inline(__always)
  package init(key: Int64, entityNumber: Int32, storeNumber: Int32) {
    self.key = key
    self.entityNumber = entityNumber
    self.storeNumber = storeNumber
  }
}
