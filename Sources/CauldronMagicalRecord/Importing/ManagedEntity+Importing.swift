public import Cauldron
public import Foundation

// Values are taken as MagicalRecord took them: texts that are numbers, numbers that are dates. What is refused
// is reported. New calls are strict, so that the warnings name the mode, and no fix-it leaves it out.

extension ManagedEntity {
  /// Imports a record, a dictionary; nil where it is refused.
  @available(
    *, deprecated,
    message: "use 'importFrom([record], in: context, options: .init(mode: .lenient)).first'"
  )
  @discardableResult
  public static func mr_import(
    from record: Any?, in context: some ObjectContext, file: String = #fileID, line: Int = #line
  ) -> Self? { importedAlone(record, in: context, at: (file, line)) }

  /// Imports records, an array of dictionaries: the objects in their order, without those that are refused.
  @available(
    *, deprecated, message: "use 'importFrom(records, in: context, options: .init(mode: .lenient))'"
  )
  @discardableResult
  public static func mr_import<Record>(
    from records: [Record]?, in context: some ObjectContext, file: String = #fileID,
    line: Int = #line
  ) -> [Self]? { imported(records ?? [], in: context, at: (file, line)) }

  /// Imports a record, a dictionary, into the default context; nil where it is refused.
  @available(
    *, deprecated,
    message: "use 'importFrom([record], in: .default, options: .init(mode: .lenient)).first'"
  )
  @MainActor @discardableResult
  public static func mr_import(
    from record: Any?, file: String = #fileID, line: Int = #line
  ) -> Self? { importedAlone(record, in: ManagedObjectContext.default, at: (file, line)) }

  /// Imports records, an array of dictionaries, into the default context.
  @available(
    *, deprecated,
    message: "use 'importFrom(records, in: .default, options: .init(mode: .lenient))'"
  )
  @MainActor @discardableResult
  public static func mr_import<Record>(
    from records: [Record]?, file: String = #fileID, line: Int = #line
  ) -> [Self]? { imported(records ?? [], in: ManagedObjectContext.default, at: (file, line)) }

  private static func imported(
    _ records: [Any], in context: some ObjectContext, at callSite: (file: String, line: Int),
    call: String = #function
  ) -> [Self]? {
    MagicalRecord.attempt(in: context.managedObjectContext, call: call) {
      try importFrom(
        records, in: context, options: .asBefore, file: callSite.file, line: callSite.line
      ) { MagicalRecord.tell(of: $0) }
    }
  }

  /// Both calls have one name: an array whose type nobody knows would come here.
  private static func importedAlone(
    _ record: Any?, in context: some ObjectContext, at callSite: (file: String, line: Int),
    call: String = #function
  ) -> Self? {
    if record is [Any] || record is NSArray {
      let error = CauldronError(
        .importValue, "Cannot import an array as one \(entityName).",
        hint: "Pass it as '[Any]', so that the call for arrays takes it.")
      MagicalRecord.report(error, in: context.managedObjectContext, call: call)
      return nil
    }
    return imported([record as Any], in: context, at: callSite, call: call)?.first
  }
}

extension ManagedObject {
  /// Imports a record, a dictionary, into this object.
  /// - Returns: Whether it was imported; false where it is refused, and where `shouldImport(_:)` says no.
  @available(
    *, deprecated, message: "use 'importValues(from: record, options: .init(mode: .lenient))'"
  )
  @discardableResult
  public final func mr_importValuesForKeys(
    with record: Any?, file: String = #fileID, line: Int = #line
  ) -> Bool {
    let isDone = MagicalRecord.attempt(in: managedObjectContext) {
      guard let record = record as? [String: Any] else {
        throw CauldronError(
          .importValue, "Cannot import into \(objectID): the record is no dictionary.",
          hint: "Pass names and values.")
      }
      return try importValues(
        from: record, options: .asBefore, file: file, line: line
      ) { MagicalRecord.tell(of: $0) }
    }
    return isDone ?? false
  }
}

extension ImportOptions {
  /// As MagicalRecord took values.
  fileprivate static let asBefore = ImportOptions(mode: .lenient)
}

extension MagicalRecord {
  /// Tells the handler of what an import has refused or left out; that is logged already.
  static func tell(of report: ImportReport) {
    for problem in report.problems {
      var error = CauldronError(
        problem.code, "Cannot import \(report.entity) \(problem).", hint: "Mend the record.")
      error.entity = report.entity
      tell(error)
    }
  }
}

// What imports were made of: the compiler tells what to do instead.

/// Objects have their part in imports without a protocol.
@available(*, unavailable, message: "override shouldImport(_:), willImport(_:) and didImport(_:)")
public protocol MagicalRecordDataImportProtocol {}

extension EntityDescription {
  /// The key is part of the model.
  @available(*, unavailable, message: "see 'importKey', or 'uniquenessConstraints'")
  public func mr_primaryAttributeToRelateBy() -> AttributeDescription? { nil }

  /// Objects are created by their classes.
  @available(*, unavailable, message: "use 'Person.create(in: context)'")
  public func mr_createInstance(in context: some ObjectContext) -> ManagedObject? { nil }

  /// The properties are an array.
  @available(*, unavailable, message: "use 'properties.first { $0.name == \"age\" }'")
  public func mr_attributeDescription(forName name: String) -> AttributeDescription? { nil }
}

extension AttributeDescription {
  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from'")
  public func mr_primaryKey() -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_value(forKeyPath path: String, fromObjectData data: Any) -> Any? { nil }
}

extension RelationshipDescription {
  /// The key is part of the model.
  @available(*, unavailable, message: "see 'importing.match'")
  public func mr_primaryKey() -> String? { nil }
}

extension NSObject {
  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from' of the attribute")
  public func mr_lookupKey(forAttribute attribute: AttributeDescription) -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_value(forAttribute attribute: AttributeDescription) -> Any? { nil }

  /// The names are part of the model.
  @available(*, unavailable, message: "see 'importing.from' of the relationship")
  public func mr_lookupKey(forRelationship relationship: RelationshipDescription) -> String? { nil }

  /// Sources are asked for values.
  @available(*, unavailable, message: "use 'source.value(at: \"a.b\")' of an ImportSource")
  public func mr_relatedValue(forRelationship relationship: RelationshipDescription) -> Any? { nil }
}

extension NSString {
  /// Swift has it.
  @available(*, unavailable, message: "use 'text.prefix(1).uppercased() + text.dropFirst()'")
  public func mr_capitalizedFirstCharacter() -> String { "" }
}
