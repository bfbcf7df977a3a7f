import CauldronLedger
public import CauldronModel
import CauldronQuery

/// The objects of a fetch, whose rows are read a batch at a time when one of the batch is asked for.
///
/// ```swift
/// let people = try Person.where(\.isActive).sorted(by: \.name).batches(of: 50, in: context)
/// print(people.count)                                     // the IDs alone have been read
/// for person in people { print(person.name) }             // a statement for every 50
/// ```
/// Which objects it has, and in which order, stays as it was when it was fetched; what they are like is
/// read later, with the unsaved changes that the context sees then. An object that has been deleted
/// meanwhile shows as one that is gone. Two batches are kept, with their objects; the context keeps the
/// others as long as somebody holds them or they have changes.
///
/// It belongs to the queue of its context, like the objects themselves.
public struct FetchedBatches<Object: ManagedObject>: RandomAccessCollection {
  private let list: BatchedList

  init(_ list: BatchedList) { self.list = list }

  /// 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { list.ids.count }

  /// How many objects a batch has.
  public var batchSize: Int { list.size }

  /// The ID of an object; nothing is read.
  public func objectID(at position: Int) -> ManagedObjectID { list.ids[position] }

  /// The object at a position. Where its row cannot be read it is a fault, which tells the reason when it
  /// is loaded.
  /// - Complexity: One statement where the object is of a batch that is not at hand and has objects whose
  ///   rows are not known; O(1) for all others.
  public subscript(position: Int) -> Object {
    guard let object = list.object(position) as? Object else {
      trap("The objects of entity \"\(list.ids[position].entityName)\" are no \(Object.self).")
    }
    return object
  }
}

@available(*, unavailable)
extension FetchedBatches: Sendable {}

/// The IDs of a fetch, and those of its objects that were asked for last.
final class BatchedList {
  let ids: [ManagedObjectID]
  let size: Int
  private let context: ManagedObjectContext
  private let entity: EntityLayout
  /// The batches at hand, the last one first: whoever walks past the end of one may turn back.
  private var batches: [(number: Int, objects: [ManagedObject?])] = []

  /// What is read with each batch.
  private let prefetch: PrefetchPlan

  init(
    _ ids: [ManagedObjectID], of entity: EntityLayout, size: Int, _ prefetch: PrefetchPlan,
    in context: ManagedObjectContext
  ) {
    self.ids = ids
    self.prefetch = prefetch
    self.entity = entity
    self.size = size
    self.context = context
  }

  func object(_ position: Int) -> ManagedObject? {
    context.prove()
    guard ids.indices.contains(position) else {
      trap("There is no object \(position) among the \(ids.count) of a fetch.")
    }
    let number = position / size
    if batches.first?.number != number { turn(to: number) }
    return batches.first?.objects[position % size]
  }

  private func turn(to number: Int) {
    if let known = batches.firstIndex(where: { $0.number == number }) {
      batches.swapAt(0, known)
      return
    }
    let start = number * size
    let some = ids[start..<min(start + size, ids.count)]
    let unread = context.core.presenter.unread(some)
    if !unread.isEmpty { context.core.publisher.publishForQuery() }
    let objects = context.core.presenter.batch(some, reading: unread, of: entity)
    context.prefetch(prefetch, for: objects.compactMap(\.self))
    batches.insert((number, objects), at: 0)
    if batches.count > 2 { batches.removeLast() }
  }
}

extension ManagedObjectContext {
  /// Fetches the IDs of the objects that a request selects; their rows are read later, as many at a time
  /// as the request's `fetchBatchSize` says, also in children.
  /// - Throws: As ``fetch(_:)``.
  /// - Complexity: One statement that reads no attribute; with pending changes one more, and O(pending
  ///   rows).
  public func fetchBatches<Object: ManagedObject>(
    _ request: FetchRequest<Object>
  ) throws -> FetchedBatches<Object> {
    prove()
    let query = try core.requests.query(
      named: request.entityName, of: Object.self, for: request.description)
    let prefetch = try PrefetchPlan(request.relationshipKeyPathsForPrefetching, query.entity)
    let size = request.fetchBatchSize
    if size < 0 { throw CauldronError.negative("batch size", size, query.entity) }
    core.publisher.publishForQuery()
    let ids = try core.fetcher.ids(
      query, includesPendingChanges: request.includesPendingChanges)
    return FetchedBatches(
      BatchedList(ids, of: query.entity, size: size == 0 ? 100 : size, prefetch, in: self))
  }
}
