import CauldronLedger
public import CauldronModel

/// What a fetch in one context has found, ready to be shown by another one.
///
/// The rows were read where the fetch ran; another context turns them into objects one by one, as
/// they are asked for. So a long list costs the main queue nothing but its visible part.
/// ```swift
/// let result = try await background.perform { context in
///   try context.fetchResult(FetchRequest<Person>())
/// }
/// let people = main.objects(of: result)                    // on the main queue; reads nothing
/// ```
/// It is immutable: which objects it has, and in which order, stays as it was when it was fetched.
/// The memory of the rows is freed in the background, whoever lets go of the result last.
public struct FetchedResult<Object: ManagedObject>: Sendable {
  let storage: FetchedStorage

  /// How many objects were found.
  public var count: Int { storage.count }

  /// What holds the rows; serves tests of when they are freed.
  package var memory: AnyObject { storage.memory }

  /// Whether nothing was found.
  public var isEmpty: Bool { count == 0 }

  /// The ID of the object at a position, counted from 0; it must be less than `count`.
  /// - Complexity: O(1).
  public func objectID(at position: Int) -> ManagedObjectID { storage.id(position) }

  /// The IDs of all objects, in the order of the request.
  /// - Complexity: O(*n*).
  public var objectIDs: [ManagedObjectID] { (0..<count).map(storage.id) }
}

extension ManagedObjectContext {
  /// Fetches without making objects: the result may be handed to another context of the stack.
  ///
  /// - Parameter request: What to fetch; unsaved changes of this context and its ancestors decide
  ///   which objects are found, unless the request leaves them out.
  /// - Returns: The rows; see ``objects(of:)`` for what another context makes of them.
  /// - Throws: As ``fetch(_:)``.
  /// - Complexity: One statement; with pending changes one more, and O(pending rows).
  public func fetchResult<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedResult<Object> {
    prove()
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    core.publisher.publishForQuery()
    return FetchedResult(
      storage: try core.fetcher.storage(
        query, includesPendingChanges: request.includesPendingChanges))
  }

  /// The objects of a result, made one by one when they are asked for.
  ///
  /// An object that the context has already is given as it is, with its edits, even if it is
  /// deleted. An object that is made for the result gets the row of that, or the row of a fetch here: where the
  /// first was unsaved, a commit has changed it since, or this context sees unsaved edits of it. Traps for the result of another stack.
  /// - Parameter result: What a context of the same stack has fetched.
  /// - Complexity: O(1), whatever the size of the result; nothing is read.
  public func objects<Object: ManagedObject>(
    of result: FetchedResult<Object>
  ) -> FetchedObjects<Object> {
    prove()
    checkStore(of: result.storage)
    return FetchedObjects(context: self, storage: result.storage)
  }

  /// Those objects of a result that are there in this context, all made at once.
  ///
  /// What was deleted or rolled back since the result was read is left out.
  /// - Throws: `store.…`.
  /// - Complexity: O(*n*); a statement for each row that has changed since it was read.
  /// - Parameter request: What was asked for; what it prefetches is read for this context.
  package func presentObjects<Object: ManagedObject>(
    of result: FetchedResult<Object>, for request: FetchRequest<Object>? = nil
  ) throws -> [Object] {
    prove()
    checkStore(of: result.storage)
    let objects = try core.presenter.presentObjects(of: result.storage).compactMap { $0 as? Object }
    if let request, !request.relationshipKeyPathsForPrefetching.isEmpty {
      let entity = try core.requests.layout(named: request.entityName, for: Object.self)
      prefetch(
        try PrefetchPlan(request.relationshipKeyPathsForPrefetching, entity), for: objects)
    }
    return objects
  }

  private func checkStore(of storage: FetchedStorage) {
    guard storage.storeNumber == core.coordinator.storeNumber else {
      trap("A fetched result belongs to another store than context \"\(name)\".")
    }
  }

  /// Fetches without making objects, and reads what the request prefetches: what to-one relationships lead
  /// to is found in the row cache then by whoever shows the result.
  package func fetchResultAhead<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedResult<Object> {
    let result = try fetchResult(request)
    _ = try presentObjects(of: result, for: request)
    return result
  }
}

/// The objects of a ``FetchedResult`` in one context, each made when it is asked for.
///
/// ```swift
/// let people = main.objects(of: result)
/// print(people.count, people.first?.name ?? "nobody")
/// ```
/// It belongs to the queue of its context, like the objects themselves. The context keeps an
/// object only as long as somebody holds it or it has changes; asked again, it is made again.
public struct FetchedObjects<Object: ManagedObject>: RandomAccessCollection {
  let context: ManagedObjectContext
  let storage: FetchedStorage

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { storage.count }

  /// The ID of an object, without making the object.
  public func objectID(at position: Int) -> ManagedObjectID { storage.id(position) }

  /// The object at a position.
  /// - Complexity: O(1) in the number of objects; nothing is read.
  public subscript(position: Int) -> Object {
    context.prove()
    guard let object = context.core.presenter.object(position, of: storage) as? Object else {
      trap("The objects of entity \"\(storage.id(position).entityName)\" are no \(Object.self).")
    }
    context.core.hooks.runWaitingHooks()
    return object
  }
}

@available(*, unavailable)
extension FetchedObjects: Sendable {}
