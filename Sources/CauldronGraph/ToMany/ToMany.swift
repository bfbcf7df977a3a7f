package import CauldronModel
import CauldronQuery

/// The objects that a to-many relationship leads to, in no particular order.
///
/// The collection is live: it shows the relationship of its object, and inserting into it sets the
/// inverse of the inserted object.
///
/// ```swift
/// company.employees.insert(jack)      // jack.employer == company
/// for person in company.employees { … }
/// company.employees = [jack, jill]
/// ```
/// - Complexity: One statement at the first walk, which reads the objects, too, and later one for
///   each few hundred that are faults again; insertion and removal are O(1) and read nothing.
public struct ToMany<Object: ManagedObject> {
  private enum Storage {
    case relationship(ManagedObject, Int)
    case literal([Object])
  }

  private let storage: Storage

  init(_ owner: ManagedObject, _ index: Int) { storage = .relationship(owner, index) }

  /// Holds objects to be assigned to a relationship.
  public init(_ objects: some Sequence<Object>) { storage = .literal(Array(objects)) }

  /// The objects as an array.
  public var objects: [Object] {
    switch storage {
    case .relationship(let owner, let index):
      owner.destinations(index, of: Object.self)
    case .literal(let objects): objects
    }
  }

  /// What a fetch of these objects asks for.
  package var selection: ToManySelection {
    switch storage {
    case .relationship(let owner, let index): ToManySelection(owner, index)
    case .literal(let objects): ToManySelection(objects)
    }
  }

  /// Adds an object and sets its inverse.
  public func insert(_ object: Object) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    owner.insertDestination(through: index, object)
  }

  func insert(all objects: [Object]) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    owner.insertDestinations(through: index, objects)
  }

  /// Takes an object out and clears its inverse; does nothing if it is not in.
  public func remove(_ object: Object) {
    guard case .relationship(let owner, let index) = storage else { return }
    owner._check()
    owner.removeDestination(through: index, object)
  }

  /// Whether the relationship leads to an object.
  public func contains(_ object: Object) -> Bool {
    switch storage {
    case .relationship(let owner, let index):
      owner._check()
      return owner.hasDestination(through: index, object)
    case .literal(let objects): return objects.contains { $0 === object }
    }
  }
}

extension ToMany: Sequence {
  /// Walks the objects as they were when the walk began.
  public func makeIterator() -> IndexingIterator<[Object]> { objects.makeIterator() }

  /// How many objects there are.
  public var count: Int {
    switch storage {
    case .relationship(let owner, let index): owner.destinationCount(index)
    case .literal(let objects): objects.count
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }
}

extension ToMany: ExpressibleByArrayLiteral {
  /// Holds objects to be assigned to a relationship.
  public init(arrayLiteral elements: Object...) { self.init(elements) }
}

extension ManagedObject {
  func destinationCount(_ index: Int) -> Int {
    destinationIDs(index).count
  }
}

/// The objects of a relationship are an argument of format strings by their IDs, several at once.
extension ToMany: FormatObjects {
  package var formatObjectIDs: [ManagedObjectID] { map(\.objectID) }
}

// A relationship is a set: what is in it already stays, and what is not is not missed.
extension ToMany {
  /// One of the objects; nil if there are none.
  public var first: Object? { objects.first }

  /// Adds objects and sets their inverse.
  ///
  /// ```swift
  /// item.tags.insert(contentsOf: [swift, linux])
  /// ```
  public func insert(contentsOf objects: some Sequence<Object>) {
    insert(all: Array(objects))
  }

  /// Takes all objects out and clears their inverse.
  public func removeAll() { removeAll { _ in true } }

  /// Takes those objects out that a condition holds for.
  public func removeAll(where isRemoved: (Object) throws -> Bool) rethrows {
    for object in objects where try isRemoved(object) { remove(object) }
  }

  /// Adds the objects of another collection.
  public func formUnion(_ other: some Sequence<Object>) { insert(contentsOf: other) }

  /// Takes the objects of another collection out.
  public func subtract(_ other: some Sequence<Object>) {
    for object in other { remove(object) }
  }

  /// Takes all objects out that another collection does not have.
  public func formIntersection(_ other: some Sequence<Object>) {
    let kept = Set(other)
    removeAll { !kept.contains($0) }
  }
}
