import CauldronModel

extension LocalContext {
  /// Fetches without making objects; see ``ManagedObjectContext/fetchResult(_:)``.
  public func fetchResult<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedResult<Object> {
    try context.fetchResult(request)
  }

  /// The objects, read a batch at a time; see ``ManagedObjectContext/fetchBatches(_:)``.
  public func fetchBatches<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedBatches<Object> {
    try context.fetchBatches(request)
  }

  /// The objects of a result; see ``ManagedObjectContext/objects(of:)``.
  public func objects<Object: ManagedObject>(
    of result: FetchedResult<Object>
  ) -> FetchedObjects<Object> {
    context.objects(of: result)
  }
}
