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
    guard let object = context.core.object(position, of: storage) as? Object else {
      trap("The objects of entity \"\(storage.id(position).entityName)\" are no \(Object.self).")
    }
    context.core.runWaitingHooks()
    return object
  }
}

@available(*, unavailable)
extension FetchedObjects: Sendable {}

extension ContextCore {
  /// The registered object of a row, or a new one that shows it.
  func object(_ position: Int, of storage: FetchedStorage) -> ManagedObject? {
    followExchanges()
    let id = storage.id(position)
    guard let layout = coordinator.layout(id) else { return nil }
    let root = layout.rootNumber
    if let object = registeredObject(id) { return object }
    // A fault reads what this context sees.
    guard identity.object(id.key, root: root) == nil, storage.isCurrent(position, root),
      !isPending(id)
    else { return object(with: id) }
    let row = storage.row(position)
    let object = makeObject(layout, id.key, row, .shown)
    identity.insert(object, id.key, root: root)
    noteFilled(object)
    return object
  }

  /// Whether the context sees an unsaved change to an object.
  func isPending(_ id: ManagedObjectID) -> Bool {
    let chain = coordinator.ledger.view(of: node)
    return !chain.isEmpty && chain.newest(id) != nil
  }
}
