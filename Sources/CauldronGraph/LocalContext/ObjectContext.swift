public import CauldronModel

/// What fetches: a context, or the context of a running block.
public protocol ObjectContext {
  /// The objects that a request selects.
  func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object]
  /// How many objects a request selects.
  func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int
  /// The object with an ID, its row read.
  func existingObject(with id: ManagedObjectID) throws -> ManagedObject
}

extension ManagedObjectContext: ObjectContext {}
extension LocalContext: ObjectContext {}
