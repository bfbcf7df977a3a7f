import CauldronLedger
public import CauldronModel

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
