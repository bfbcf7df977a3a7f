import CauldronModel

extension ManagedObject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

// These are not members of the class, so that an entity may have a property `description`.

extension CustomStringConvertible where Self: ManagedObject {
  /// Entity, ID and what is not saved, on one line; no values, and nothing is read.
  ///
  /// ```swift
  /// print(person)  // <Person x-coredata://…/Person/p3 (updated: name, age)>
  /// ```
  @_disfavoredOverload
  public var description: String { "<\(summary)>" }
}

extension CustomDebugStringConvertible where Self: ManagedObject {
  /// The same with the values that were read already.
  @_disfavoredOverload
  public var debugDescription: String {
    let values = shownValues.map { "\($0.name): \($0.value.debugText)" }
    return values.isEmpty ? "<\(summary)>" : "<\(summary) \(values.joined(separator: ", "))>"
  }
}

extension CustomReflectable where Self: ManagedObject {
  /// The ID, and the values that were read already.
  @_disfavoredOverload
  public var customMirror: Mirror {
    let values = shownValues.map { (label: $0.name as String?, value: $0.value.debugText as Any) }
    return Mirror(
      self, children: [(label: "objectID", value: objectID as Any)] + values,
      displayStyle: .class)
  }
}

// None of this asks who is calling: a debugger prints from any thread, and a print must not stop the
// program.
extension ManagedObject {
  fileprivate var summary: String {
    let condition = condition
    return "\(layout.name) \(objectID)\(condition.isEmpty ? "" : " (\(condition))")"
  }

  private var condition: String {
    if state.contains(.gone) { return "gone" }
    if state.contains(.deleted) { return "deleted" }
    if state.contains(.inserted) { return "inserted" }
    if state.contains(.unread) { return "cannot be read" }
    if state.contains(.fault) { return "fault" }
    guard state.contains(.updated) else { return "" }
    let names = changedProperties
    return names.isEmpty ? "updated" : "updated: \(names.joined(separator: ", "))"
  }

  /// The attributes and to-one keys of a row that was read.
  fileprivate var shownValues: [(name: String, value: AttributeScalar)] {
    guard state.isDisjoint(with: [.fault, .gone, .unread]) else { return [] }
    return layout.properties.compactMap { property in
      guard let storage = property.storageClass else { return nil }
      return (property.name, RowPointer(row).scalar(property.index, storage))
    }
  }
}

extension AttributeScalar {
  /// The value as one line shows it; long ones are cut.
  package var debugText: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let text):
      text.count > 40 ? "\(String(text.prefix(40)).debugDescription)…" : text.debugDescription
    case .blob(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    }
  }
}
