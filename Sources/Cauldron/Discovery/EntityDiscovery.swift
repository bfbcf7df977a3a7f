import CCauldron
public import CauldronGraph
public import CauldronModel

/// Finds the classes that `@Entity` put on record in the program.
///
/// The linker gathers the records of an image in one section. Classes of a dynamic library lie in
/// the section of that library and are not seen from here.
package enum EntityDiscovery {
  /// What a record is: a function that tells the address of a class's metadata.
  private typealias Record = @convention(c) () -> UInt

  /// All entity classes of the program, each once, sorted by entity name.
  package static func classes() -> [ManagedObject.Type] {
    var seen: Set<ObjectIdentifier> = []
    return records()
      .compactMap { unsafeBitCast($0(), to: AnyClass.self) as? ManagedObject.Type }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
      .sorted { $0._entityName < $1._entityName }
  }

  /// The functions in the section. Linkers and sanitizers may put zeros between them.
  private static func records() -> [Record] {
    guard let start = cauldron_entities_start(), let stop = cauldron_entities_stop() else {
      return []
    }
    let count = (stop - start) / MemoryLayout<Record?>.stride
    let slots = start.assumingMemoryBound(to: Record?.self)
    return UnsafeBufferPointer(start: slots, count: count).compactMap { $0 }
  }
}

extension ManagedObjectModel {
  /// The model of every `@Entity` class of the program.
  /// - Throws: `model.invalid`.
  public static func discovered(name: String = "Model") throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: EntityDiscovery.classes().map { $0._describeEntity() }, name: name)
  }

  /// The model of some `@Entity` classes.
  ///
  /// ```swift
  /// let model = try ManagedObjectModel(Person.self, Company.self)
  /// ```
  /// - Throws: `model.invalid`, for instance where the destination of a relationship is left out.
  public convenience init(_ types: ManagedObject.Type..., name: String = "Model") throws {
    try self.init(entities: types.map { $0._describeEntity() }, name: name)
  }
}
