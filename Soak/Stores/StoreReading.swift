import Cauldron
import CauldronModel
import Foundation

/// Reads all that a store has, through a stack that only reads.
struct StoreReading {
  private let meeting: StoreMeeting

  init(_ meeting: StoreMeeting) { self.meeting = meeting }

  private var model: ManagedObjectModel { meeting.model }

  func run() throws -> MeetingVerdict {
    let stack = try StoreAccess.open(meeting.work.url, model) { $0.readOnly = true }
    defer { try? stack.close() }
    var refusal: (any Error)?
    var lie: String?
    for entity in model.entities {
      let context = ManagedObjectContext(.private, parent: stack.rootSavingContext)
      do {
        lie = try context.performAndWait { try look(entity.name, $0) } ?? lie
      } catch is CauldronError where refusal != nil {
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return lie.map(meeting.verdict) ?? MeetingVerdict(.answered)
  }

  /// Reads an entity's objects and what they lead to.
  /// - Returns: What contradicts itself.
  private func look(_ name: String, _ context: LocalContext) throws -> String? {
    var request = FetchRequest<ManagedObject>(entityName: name)
    let objects = try context.fetch(request)
    let count = try context.count(for: request)
    for object in objects { walk(object) }
    request.predicate = try PredicateNode(format: "number > 5")
    request.sortKeys = [SortKey("number")]
    let found = try context.fetch(request)
    let numbers = found.map { $0.value(forKey: "number") as? Int ?? .min }
    // An object that cannot be read any more shows nothing; then the store is known to be damaged.
    if count != objects.count {
      return "\(name): \(objects.count) objects, and a count of \(count)"
    }
    let expected = objects.map { $0.value(forKey: "number") as? Int ?? .min }.filter { $0 > 5 }
    if numbers != expected.sorted() {
      return
        "\(name): number > 5 finds \(numbers.prefix(20)), expected \(expected.sorted().prefix(20))"
    }
    return try unfound(objects, name, context) ?? mislinked(objects, name, context)
  }

  /// Objects that a condition finds by what they lead to, though they show otherwise.
  private func mislinked(
    _ objects: [ManagedObject], _ name: String, _ context: LocalContext
  ) throws -> String? {
    for property in properties(of: name) {
      guard case .relationship(let relationship) = property else { continue }
      let key = relationship.name
      var request = FetchRequest<ManagedObject>(entityName: name)
      request.predicate = try PredicateNode(
        format: relationship.isToMany ? "ANY \(key).number > 4" : "\(key).number > 4")
      let found = Set(try context.fetchObjectIDs(request))
      let expected = objects.filter { object in
        let value = object.value(forKey: key)
        let ends = value as? [ManagedObject] ?? (value as? ManagedObject).map { [$0] } ?? []
        return ends.contains { ($0.value(forKey: "number") as? Int ?? 0) > 4 }
      }
      if found != Set(expected.map(\.objectID)) {
        return "\(name).\(key).number > 4 finds \(found.count), expected \(expected.count)"
      }
    }
    return nil
  }

  /// An object that is not found by a value that it shows.
  private func unfound(
    _ objects: [ManagedObject], _ name: String, _ context: LocalContext
  ) throws -> String? {
    for object in objects.prefix(12) {
      var request = FetchRequest<ManagedObject>(entityName: object.entity.name)
      for property in properties(of: object.entity.name) {
        guard case .attribute(let attribute) = property else { continue }
        let value: AttributeScalar
        switch object.value(forKey: attribute.name) {
        case let text as String: value = .text(text)
        case let number as Int: value = .integer(Int64(number))
        case let number as Int32: value = .integer(Int64(number))
        case let number as Int16: value = .integer(Int64(number))
        case let date as Date: value = .real(date.timeIntervalSinceReferenceDate)
        default: continue
        }
        request.predicate = .comparison(key: attribute.name, .equal, value)
        if try !context.fetchObjectIDs(request).contains(object.objectID) {
          return "\(name).\(attribute.name) is \(value), and is not found by it"
        }
      }
    }
    return nil
  }

  private func properties(of name: String) -> [PropertyDescription] {
    var (found, next): ([PropertyDescription], String?) = ([], name)
    while let entity = model.entities.first(where: { $0.name == next }) {
      found += entity.properties
      next = entity.superentity
    }
    return found
  }

  private func walk(_ object: ManagedObject) {
    for property in properties(of: object.entity.name) {
      switch object.value(forKey: property.name) {
      case let other as ManagedObject: _ = other.value(forKey: "number")
      case let others as [ManagedObject]:
        for other in others { _ = other.value(forKey: "number") }
      default: break
      }
    }
  }
}
