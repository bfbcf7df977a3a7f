/// An object as messages name it: entity and URI.
package struct NamedObject: Sendable {
  package let id: ManagedObjectID
  package let entity: String
  package let uri: String

  package init(_ id: ManagedObjectID, entity: String, store identifier: String) {
    self.id = id
    self.entity = entity
    uri = "x-coredata://\(identifier)/\(entity)/p\(id.key)"
  }
}

extension CauldronError {
  /// The store's row is not the one that the change was made from.
  package static func changed(
    _ object: NamedObject, read: Int32, stored: Int32, fields: [String]
  ) -> CauldronError {
    let list = fields.isEmpty ? "" : " Fields that differ: \(fields.joined(separator: ", "))."
    return about(
      object, .saveConflict,
      "Cannot save \(object.entity) \(object.uri): changed since it was read"
        + " (version \(read), store has \(stored)).\(list)")
  }

  /// The row was changed so often that its versions cannot be counted on.
  package static func versionsSpent(_ object: NamedObject) -> CauldronError {
    about(
      object, .storeBadValue,
      "Cannot save \(object.entity) \(object.uri): its version would be greater than"
        + " \(RowPointer.greatestVersion).")
  }

  /// The row that was changed is gone.
  package static func deleted(_ object: NamedObject, read: Int32) -> CauldronError {
    about(
      object, .saveConflict,
      "Cannot save \(object.entity) \(object.uri): deleted since it was read (version \(read)).")
  }

  /// The row that is to be inserted exists.
  package static func exists(_ object: NamedObject) -> CauldronError {
    about(
      object, .saveConflict,
      "Cannot save \(object.entity) \(object.uri): the store has it already.")
  }

  /// A property refers to a row that does not exist.
  package static func missingTarget(
    _ target: NamedObject, of property: String, in entity: String
  ) -> CauldronError {
    CauldronError(
      .storeDanglingReference,
      "Cannot save \(entity).\(property): \(target.entity) \(target.uri) does not exist."
    ).with {
      $0.entity = entity
      $0.property = property
      $0.objectIDs = [target.id]
    }
  }

  /// A deleted row is still referred to.
  package static func referenced(
    _ object: NamedObject, by other: NamedObject, _ property: String
  ) -> CauldronError {
    about(
      object, .storeDanglingReference,
      "Cannot delete \(object.entity) \(object.uri): \(other.uri) refers to it"
        + " by \"\(property)\"."
    ).with { $0.objectIDs.append(other.id) }
  }

  /// Another row has the same unique values.
  package static func notUnique(
    _ object: NamedObject, _ properties: [String], other: NamedObject
  ) -> CauldronError {
    let names = properties.joined(separator: ", ")
    return about(
      object, .saveConstraint,
      "Cannot save \(object.entity) \(object.uri): \(names) must be unique; \(other.uri) has the same"
        + " value."
    ).with {
      $0.property = properties.first
      $0.objectIDs.append(other.id)
    }
  }

  /// The change builds on another one that was not written.
  package static func dependent(on cause: CauldronError, _ ids: [ManagedObjectID]) -> CauldronError
  {
    CauldronError(
      cause.code,
      "Cannot save a change to objects of an earlier save that failed: \(cause.message)",
      hint: cause.hint
    ).with {
      $0.entity = cause.entity
      $0.property = cause.property
      $0.objectIDs = ids
      $0.isDependent = true
    }
  }

  /// Another part of the same save was not written.
  package static func together(with cause: CauldronError) -> CauldronError {
    CauldronError(
      cause.code, "Cannot save a change whose save has failed in another one: \(cause.message)",
      hint: cause.hint
    ).with {
      $0.entity = cause.entity
      $0.property = cause.property
      $0.objectIDs = cause.objectIDs
      $0.isDependent = cause.isDependent
    }
  }

  /// The store was closed.
  package static let closed = CauldronError(.stackClosed, "Cannot use the store: it was closed.")

  private static func about(
    _ object: NamedObject, _ code: Code, _ message: String
  ) -> CauldronError {
    CauldronError(code, message).with {
      $0.entity = object.entity
      $0.objectIDs = [object.id]
    }
  }
}
