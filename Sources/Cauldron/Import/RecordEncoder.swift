public import CauldronGraph
public import CauldronImport
import CauldronModel
import Foundation

/// Encodes records so that dates stay dates, and a value without a JSON form is an error only where
/// it is read.
///
/// Both are texts with a unique mark until the JSON is read.
struct RecordEncoder {
  private let mark = "\u{1}\(UUID().uuidString):"
  private let encoder = JSONEncoder()

  init() {
    encoder.dateEncodingStrategy = .custom { [mark] date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode("\(mark)\(date.timeIntervalSinceReferenceDate.bitPattern)")
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: mark + "inf", negativeInfinity: mark + "-inf", nan: mark + "nan")
  }

  /// What a record says; where it cannot be encoded, something that no record is.
  func value(_ record: some Encodable) -> JSONValue {
    do {
      let text = String(decoding: try encoder.encode(record), as: UTF8.self)
      guard let value = JSONText.value(text) else {
        return unusable(record, because: "is nested too deeply")
      }
      return JSONTape(value) { standIn($0) }.root
    } catch {
      return unusable(record, because: "throws \(type(of: error))")
    }
  }

  private func unusable(_ record: some Encodable, because why: String) -> JSONValue {
    JSONTape(unusable: "a \(type(of: record)), of which the encoding \(why),").root
  }

  /// What a text stands for; nil where that is itself.
  private func standIn(_ text: String) -> JSONTape.StandIn? {
    guard text.hasPrefix(mark) else { return nil }
    let rest = String(text.dropFirst(mark.count))
    guard let bits = UInt64(rest) else { return .unusable(rest) }
    return .native(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
  }
}

extension ManagedEntity {
  /// The object as JSON, written as an import would read it: what was exported imports as unchanged.
  ///
  /// ```swift
  /// let json = try person.exportJSON(depth: 2)
  /// ```
  /// - Parameters:
  ///   - depth: How many levels of objects are written out: 1 for the object alone. What they lead to beyond
  ///     is named by its key. Of entities without a key nothing is written: an import would create it again.
  ///   - options: How it would be imported; the mode and the mappings count. What has several names is written
  ///     by the first.
  /// - Throws: `export.lossy` for what would not come back: NaN, an object without a key, or a property whose
  ///   transform has no way back; also for a deleted object. `import.plan`.
  /// - Complexity: O(written objects); one statement for each relationship that was not read yet.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    guard let context = managedObjectContext else { throw RecordWriter.gone(Self._entityName) }
    // By its own entity: a superclass does not have all that it has.
    let plan = try ImportPlan(
      for: entity.name, on: context.persistentStoreCoordinator, options: options)
    var writer = RecordWriter(plan, depth: max(1, depth))
    return try writer.json(self)
  }
}

extension Collection where Element: ManagedEntity {
  /// The objects as an array in JSON; see ``ManagedEntity/exportJSON(depth:options:)``.
  /// - Throws: As the form of a single object; `export.lossy` also where one is of a subentity, of which the
  ///   records of the class do not have all.
  public func exportJSON(depth: Int = 1, options: ImportOptions = ImportOptions()) throws -> String
  {
    if isEmpty { return "[]" }
    guard let context = lazy.compactMap(\.managedObjectContext).first else {
      throw RecordWriter.gone(Element._entityName)
    }
    let plan = try ImportPlan(
      for: Element._entityName, on: context.persistentStoreCoordinator, options: options)
    var writer = RecordWriter(plan, depth: Swift.max(1, depth))
    let texts = try map { try writer.json($0) }
    return "[" + texts.joined(separator: ",\n") + "]"
  }
}
