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
      object, code: .saveConflict,
      message: "Cannot save \(object.entity) \(object.uri): changed since it was read"
        + " (version \(read), store has \(stored)).\(list)")
  }

  /// The row was changed so often that its versions cannot be counted on.
  package static func versionsSpent(_ object: NamedObject) -> CauldronError {
    about(
      object, code: .storeBadValue,
      message: "Cannot save \(object.entity) \(object.uri): its version would be greater than"
        + " \(RowPointer.greatestVersion).")
  }

  /// The row that was changed is gone.
  package static func deleted(_ object: NamedObject, read: Int32) -> CauldronError {
    about(
      object, code: .saveConflict,
      message:
        "Cannot save \(object.entity) \(object.uri): deleted since it was read (version \(read)).")
  }

  /// The row that is to be inserted exists.
  package static func exists(_ object: NamedObject) -> CauldronError {
    about(
      object, code: .saveConflict,
      message: "Cannot save \(object.entity) \(object.uri): the store has it already.")
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
      object, code: .storeDanglingReference,
      message: "Cannot delete \(object.entity) \(object.uri): \(other.uri) refers to it"
        + " by \"\(property)\"."
    ).with { $0.objectIDs.append(other.id) }
  }

  /// Another row has the same unique values.
  package static func notUnique(
    _ object: NamedObject, _ properties: [String], other: NamedObject
  ) -> CauldronError {
    let names = properties.joined(separator: ", ")
    return about(
      object, code: .saveConstraint,
      message:
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
    _ object: NamedObject, code: Code, message: String
  ) -> CauldronError {
    CauldronError(code, message).with {
      $0.entity = object.entity
      $0.objectIDs = [object.id]
    }
  }
}

extension CauldronError {
  /// A request asks for what no store can do.
  package static func unsupported(
    _ entity: EntityLayout, _ property: String?, _ what: String, hint: String = ""
  ) -> CauldronError {
    CauldronError(.queryUnsupported, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
      $0.property = property
    }
  }

  /// A value is compared or calculated with one of another kind.
  package static func mismatch(
    _ entity: EntityLayout, _ what: String, hint: String = ""
  ) -> CauldronError {
    CauldronError(.queryTypeMismatch, "\(entity.name): \(what).", hint: hint).with {
      $0.entity = entity.name
    }
  }

  /// What is gathered from rows is asked of a single one.
  package static func withoutGroups(_ entity: EntityLayout) -> CauldronError {
    .unsupported(
      entity, nil, "what is gathered from rows needs groups", hint: "Use grouped(by:).")
  }

  /// A window begins or ends before the first object.
  package static func negative(
    _ name: String, _ value: Int, _ entity: EntityLayout
  ) -> CauldronError {
    .unsupported(
      entity, nil, "a fetch cannot have the \(name) \(value)",
      hint: "Give 0 or more, or leave it out.")
  }

  /// A value is compared with one that its attribute cannot have.
  package static func unstorable(_ what: String, _ mark: _Unstorable) -> CauldronError {
    CauldronError(
      .queryTypeMismatch,
      "\(what) cannot be compared with a value that cannot be stored: \(mark.reason).",
      hint: "Round the value.")
  }

  /// A column of integers has a result that became a Double.
  package static func overflow(_ value: Double) -> CauldronError {
    CauldronError(
      .queryOverflow, "A column of integers has the value \(value), which 64 bits do not hold.",
      hint: "Calculate with a Double.")
  }

  /// A sum of integers is beyond 64 bits.
  package static var overflow: CauldronError {
    CauldronError(
      .queryOverflow, "A sum of integers is greater than 64 bits hold.",
      hint: "Sum a Double attribute, or in parts.")
  }
}

extension CauldronError {
  /// A relationship that leads to too few or too many objects.
  package static func miscounted(
    _ failure: CountFailure, _ id: ManagedObjectID, _ entity: EntityLayout,
    _ relationship: PropertyLayout
  ) -> CauldronError {
    let name = "\(entity.name).\(relationship.name)"
    let error =
      switch failure {
      case .tooFew(let least):
        CauldronError(.validationTooFew, "\(name) must lead to at least \(objects(least)).")
      case .tooMany(let most):
        CauldronError(.validationTooMany, "\(name) must lead to at most \(objects(most)).")
      }
    return error.with {
      $0.entity = entity.name
      $0.property = relationship.name
      $0.objectIDs = [id]
    }
  }

  private static func objects(_ count: Int) -> String {
    count == 1 ? "1 object" : "\(count) objects"
  }
}

extension CauldronError {
  /// Somebody wants to set what the store computes.
  package static func derived(_ property: PropertyLayout, of entity: EntityLayout) -> CauldronError
  {
    CauldronError(
      .queryUnsupported,
      "\(entity.name).\(property.name) is derived from \"\(property.derivation ?? "")\" by the store and"
        + " cannot be set.", hint: "Change what it is derived from."
    ).with {
      $0.entity = entity.name
      $0.property = property.name
    }
  }
}

extension MergeConflict {
  /// What rows tell of a conflict.
  package init(
    _ objectID: ManagedObjectID, _ entity: EntityLayout, was: RowPointer, theirs: RowPointer?,
    mine: RowPointer?, _ properties: PropertySet
  ) {
    self.objectID = objectID
    entityName = entity.name
    self.properties = properties.indices.compactMap { index in
      guard let storage = entity.properties[index].storageClass else { return nil }
      return Property(
        name: entity.properties[index].name, was: was.scalar(index, storage),
        theirs: theirs?.scalar(index, storage), mine: mine?.scalar(index, storage))
    }
    objectSnapshot = was.snapshot(entity)
    persistedSnapshot = theirs?.snapshot(entity)
    oldVersion = Int(was.version)
    newVersion = Int(theirs?.version ?? 0)
  }
}
