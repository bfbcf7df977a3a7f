import CauldronModel

extension ManagedObject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

// These are not members of the class, so that an entity may have a property `description`.

extension CustomStringConvertible where Self: ManagedObject {
  /// Entity, key, context, what became of the object there, and its values, on one line.
  ///
  /// ```swift
  /// print(person)
  /// // <Person p12 of Default Context, changed: name: "jack", age: 3, employer: Company p1, pets: 2>
  /// ```
  /// Nothing is read for it: a fault stays one and says so, as does a to-many relationship that was
  /// not walked. Long texts are cut. Any thread may print an object; one that may not use it learns
  /// no more than its entity, key and context.
  @_disfavoredOverload
  public var description: String {
    let image = ObjectImage(self)
    return image.line(
      ObjectImage.shortName(of: objectID, entity: layout), of: core.takeUnretainedValue().name)
  }
}

extension CustomDebugStringConvertible where Self: ManagedObject {
  /// The same with the whole ID, and for what was changed what it was before.
  ///
  /// ```swift
  /// debugPrint(person)
  /// // <Person x-coredata://…/Person/p12 of Default Context, changed: name: "jack" (was "john")>
  /// ```
  @_disfavoredOverload
  public var debugDescription: String {
    let image = ObjectImage(self)
    return image.line(
      "\(layout.name) \(objectID)", of: core.takeUnretainedValue().name, showsWas: true)
  }
}

extension CustomReflectable where Self: ManagedObject {
  /// The ID, what became of the object, and its values, none of which is read for it.
  @_disfavoredOverload
  public var customMirror: Mirror {
    let image = ObjectImage(self)
    let values = image.properties.map {
      (label: $0.name as String?, value: ShownText($0.value) as Any)
    }
    let state = image.condition.map { [(label: "state" as String?, value: ShownText($0) as Any)] }
    return Mirror(
      self, children: [(label: "objectID", value: objectID as Any)] + (state ?? []) + values,
      displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}

/// A text that a dump shows without quotes, on one line.
private struct ShownText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let description: String

  init(_ text: String) { description = text }

  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
