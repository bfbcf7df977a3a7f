public import Cauldron
import Foundation

// The old calls looked for the text `min(age)`, and found nothing; these do what their names say. Objects
// without a value do not count. An error is reported, and nil returned.

extension ManagedEntity {
  /// The smallest value that a property has in the object's context.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age)'")
  public func mr_minValue(for property: String) -> Any? {
    managedObjectContext.flatMap { extreme(property, true, $0) }?.value(at: PropertyPath(property))
  }

  /// The largest value that a property has in the object's context.
  @available(
    *, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age, ascending: false)'"
  )
  public func mr_maxValue(for property: String) -> Any? {
    managedObjectContext.flatMap { extreme(property, false, $0) }?.value(at: PropertyPath(property))
  }

  /// The object with the smallest value of a property in this object's context.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age)'")
  public func mr_objectWithMinValue(for property: String) -> Self? {
    managedObjectContext.flatMap { extreme(property, true, $0) }
  }

  /// The object with the smallest value of a property.
  @available(*, deprecated, message: "use 'try Person.findFirst(sortedBy: \\.age, in: context)'")
  public func mr_objectWithMinValue(
    for property: String, in context: some ObjectContext
  ) -> Self? { extreme(property, true, context) }

  private func extreme(
    _ property: String, _ ascending: Bool, _ context: some ObjectContext, call: String = #function
  ) -> Self? {
    let found = MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      let known = FormatPredicate(.format("%K != nil", [property]))
      return try context.fetchFirst(
        Self.oldRequest(known, sortedBy: property, ascending: ascending))
    }
    return found ?? nil
  }
}
