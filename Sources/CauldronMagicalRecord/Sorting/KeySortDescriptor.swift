public import Cauldron
public import Foundation

/// A sort descriptor that carries a key, which Foundation's own cannot on Linux.
final class KeySortDescriptor: NSSortDescriptor {
  /// What stands for the key path that Foundation asks for.
  private struct Stand {
    let text = ""
  }

  /// The attribute, perhaps behind to-one relationships, such as `employer.name`.
  let name: String

  init(_ name: String, ascending: Bool) {
    self.name = name
    super.init(keyPath: \Stand.text, ascending: ascending)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let result = ValueOrder.compare(value(of: object1), with: value(of: object2))
    return ascending ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
  }

  override var reversedSortDescriptor: Any { KeySortDescriptor(name, ascending: !ascending) }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    return name == other.name && ascending == other.ascending
  }

  override var hash: Int { name.hashValue }

  override var description: String { "\(name):\(ascending ? "YES" : "NO")" }

  private func value(of object: Any) -> Any? {
    (object as? ManagedObject)?.value(at: PropertyPath(name))
  }
}

/// The order of two values of an attribute; nil is smaller than all.
enum ValueOrder {
  /// How two values lie to each other; values that have no order are the same.
  static func compare(_ first: Any?, with second: Any?) -> ComparisonResult {
    switch (first, second) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let first as Bool, let second as Bool): order(first ? 1 : 0, to: second ? 1 : 0)
    case (let first as any Comparable, let second?): order(first, to: second)
    default: .orderedSame
    }
  }

  private static func order<Value: Comparable>(_ first: Value, to other: Any) -> ComparisonResult {
    guard let second = other as? Value, first != second else { return .orderedSame }
    return first < second ? .orderedAscending : .orderedDescending
  }
}

extension NSSortDescriptor: ClassFactory {}

// Foundation has the initializer on Linux, too, but marked unavailable, so that this one is taken.

extension NSSortDescriptor {
  /// Makes a sort descriptor of a key, for a request.
  ///
  /// ```swift
  /// request.sortDescriptors = [NSSortDescriptor(key: "employer.name", ascending: true)]
  /// ```
  /// - Parameters:
  ///   - key: An attribute, perhaps behind to-one relationships; nil for the object itself, which has no
  ///     order. Whoever uses the descriptor checks it.
  ///   - ascending: Whether the smallest value comes first.
  @available(*, deprecated, message: "use 'sortedBy: \\.name', or 'SortKey(\"name\")'")
  public convenience init(key: String?, ascending: Bool) {
    self.init {
      let made = KeySortDescriptor(key ?? "SELF", ascending: ascending)
      guard let made = made as? Self else {
        trap("\(Self.self) cannot be made of a key; NSSortDescriptor can.")
      }
      return made
    }
  }

  /// The key that the descriptor was made of; nil for none.
  public var key: String? { (self as? KeySortDescriptor)?.name }

  private convenience init(_ make: () -> Self) { self.init(making: make) }
}

extension NSSortDescriptor {
  /// What a request for objects of a class sorts by.
  /// - Throws: `query.unknownKey` for a key path that leads to no property of the class.
  func sortKey(of type: ManagedObject.Type) throws -> SortKey {
    if let key { return SortKey(key, ascending: ascending) }
    if let name = KeyPathTable.table(for: type)[keyPath] {
      return SortKey(name, ascending: ascending)
    }
    throw CauldronError(
      .queryUnknownKey, "Cannot sort \(type) by \(keyPath).",
      hint: "Sort by the key path of one of its properties, or by a key.")
  }
}

extension ManagedEntity {
  /// Sort descriptors of keys, all with the smallest value first.
  @available(*, deprecated, message: "use 'sortedBy: \\.name, \\.age'")
  public static func mr_ascendingSortDescriptors(_ keys: [String]?) -> [NSSortDescriptor] {
    (keys ?? []).map { KeySortDescriptor($0, ascending: true) }
  }

  /// Sort descriptors of keys, all with the largest value first.
  @available(*, deprecated, message: "use 'sortedBy: \\.name, \\.age, ascending: false'")
  public static func mr_descendingSortDescriptors(_ keys: [String]?) -> [NSSortDescriptor] {
    (keys ?? []).map { KeySortDescriptor($0, ascending: false) }
  }
}

extension ManagedObject {
  /// The value of a property, perhaps behind to-one relationships; nil for none, and where the path leads
  /// to no property.
  func value(at path: PropertyPath) -> Any? {
    var value: Any? = self
    for step in path.steps {
      guard let object = value as? ManagedObject,
        object.entity.properties.contains(where: { $0.name == step })
      else { return nil }
      value = object.value(forKey: step)
    }
    return value
  }
}
