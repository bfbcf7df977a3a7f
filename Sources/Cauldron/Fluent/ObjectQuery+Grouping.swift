import CauldronGraph
public import CauldronModel

extension ObjectQuery {
  /// The objects by an attribute that they have in common; only those in the window, if there is one.
  public func grouped<Key: AttributeValue>(
    by path: KeyPath<Object, Key>
  ) -> ObjectGroups<Object, Key> {
    ObjectGroups(self, [.property(KeyPathTable.path(of: path))], .single())
  }

  /// The objects by what they have in common; only those in the window, if there is one.
  public func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Object, each Key>
  ) -> ObjectGroups<Object, (repeat each Key)> {
    var keys: [QueryExpression] = []
    for path in repeat each path { keys.append(.property(KeyPathTable.path(of: path))) }
    return ObjectGroups(self, keys, .tuple())
  }

  /// The objects by a value that may reach through relationships, and may be nil.
  public func grouped<Value: AttributeValue>(
    by build: (Object.QueryRoot) -> QueryValue<Object, Value>
  ) -> ObjectGroups<Object, Value?> {
    ObjectGroups(self, [build(Object.QueryRoot.root).expression], .single())
  }
}

extension ManagedEntity {
  /// The objects by an attribute that they have in common.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city).count(in: context)                // [(key: String, value: Int)]
  /// ```
  public static func grouped<Key: AttributeValue>(
    by path: KeyPath<Self, Key>
  ) -> ObjectGroups<Self, Key> { ObjectQuery().grouped(by: path) }

  /// The objects by what they have in common.
  ///
  /// ```swift
  /// try Person.grouped(by: \.city, \.isActive).count(in: context)    // [(key: (String, Bool), value: Int)]
  /// ```
  public static func grouped<each Key: AttributeValue>(
    by path: repeat KeyPath<Self, each Key>
  ) -> ObjectGroups<Self, (repeat each Key)> { ObjectQuery().grouped(by: repeat each path) }

  /// The objects by a value that may reach through relationships, and may be nil.
  ///
  /// ```swift
  /// try Person.grouped { $0.employer.name }.count(in: context)       // [(key: String?, value: Int)]
  /// ```
  public static func grouped<Value: AttributeValue>(
    by build: (QueryRoot) -> QueryValue<Self, Value>
  ) -> ObjectGroups<Self, Value?> { ObjectQuery().grouped(by: build) }
}
