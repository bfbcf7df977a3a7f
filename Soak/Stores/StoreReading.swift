import Cauldron
import CauldronModel
import Foundation

/// Reads all that a store has, through a stack that only reads.
struct StoreReading {
  private let url: URL
  private let model: ManagedObjectModel

  init(_ url: URL, _ model: ManagedObjectModel) {
    self.url = url
    self.model = model
  }

  func run() throws -> StoreVerdict {
    let stack = try StoreAccess.open(url, model) { $0.readOnly = true }
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
    if let lie { return StoreVerdict(.lie, lie) }
    if let refusal { throw refusal }
    return StoreVerdict(.answered)
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
    return nil
  }

  private func walk(_ object: ManagedObject) {
    guard let layout = model.entities.first(where: { $0.name == object.entity.name }) else {
      return
    }
    var chain: EntityDescription? = layout
    while let entity = chain {
      for property in entity.properties {
        switch object.value(forKey: property.name) {
        case let other as ManagedObject: _ = other.value(forKey: "number")
        case let others as [ManagedObject]:
          for other in others { _ = other.value(forKey: "number") }
        default: break
        }
      }
      chain = entity.superentity.flatMap { name in model.entities.first { $0.name == name } }
    }
  }
}
