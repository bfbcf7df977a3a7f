import Cauldron
import Foundation

/// A class with all that an import asks of one. What is noted of it stands in ``described()``.
@Entity final class Machine: ManagedObject {
  @Attribute(.unique) var machineID: Int?
  var label: String?
  var note: String?
  var weight: Double?
  var built: Date?
  @Relationship(inverse: "host") var parts: ToMany<Gear>
  @Relationship(inverse: "helped") var tools: ToMany<Gear>

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    note("shouldImport \(machineID ?? 0)")
    return source["skip"]?.bool != true
  }

  override func willImport(_ source: ImportSource) throws { note("willImport") }

  override func didImport(_ source: ImportSource) throws {
    note("didImport with \(parts.count) parts")
  }

  /// Takes what is loud itself.
  func importLabel(_ value: String?) -> Bool {
    note("importLabel \(value ?? "nil")")
    guard let value, value.hasSuffix("!") else { return false }
    label = value.uppercased()
    return true
  }

  /// Takes all.
  func importNote(_ value: String?) { note("importNote \(value ?? "nil")") }

  func importWeight(_ value: Double?) -> Bool {
    note("importWeight \(value ?? -1)")
    return false
  }

  func shouldImportParts(_ source: ImportSource) -> Bool {
    note("shouldImportParts \(source)")
    return source.array?.count != 3
  }

  func importParts(_ source: ImportSource) -> Bool {
    note("importParts")
    return source.array?.count == 4
  }

  private func note(_ call: String) { Calls.add(call, of: self) }

  static func described() -> EntityDescription { _describeEntity() }
}

@Entity final class Gear: ManagedObject {
  @Attribute(.unique) var gearID: Int?
  var teeth: Int?
  @Relationship(inverse: "parts", imported: false) var host: Machine?
  @Relationship(inverse: "tools", imported: false) var helped: ToMany<Machine>

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    source["skip"]?.bool != true
  }

  override func didImport(_ source: ImportSource) throws {
    note("gear \(gearID ?? 0) \(host == nil ? "without host" : "with host")")
  }

  private func note(_ call: String) { Calls.add(call, of: self) }

  static func described() -> EntityDescription { _describeEntity() }
}

/// What the machines and gears of a store were asked.
enum Calls {
  /// The coordinators are kept, so that none lies where another one was.
  private static let all = Locked<
    [ObjectIdentifier: (coordinator: PersistentStoreCoordinator, calls: [String])]
  >([:])

  static func add(_ call: String, of object: ManagedObject) {
    guard let coordinator = object.managedObjectContext?.persistentStoreCoordinator else { return }
    all.withLock {
      $0[ObjectIdentifier(coordinator), default: (coordinator, [])].calls.append(call)
    }
  }

  static func take(_ stack: Stack) -> [String] {
    all.withLock { $0.removeValue(forKey: ObjectIdentifier(stack.coordinator))?.calls ?? [] }
  }
}
