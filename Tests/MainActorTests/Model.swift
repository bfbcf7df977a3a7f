import Cauldron
import Foundation

// Entities of all kinds. The one test compiles this file by itself, the others run what it declares.

enum Kind: String, Codable { case plain, urgent }
enum Level: Int { case low, high }

nonisolated struct Address: Codable, Equatable {
  var street: String
  var number = 1
}

class Named: ManagedObject {
  var shownName: String { "the \(Self._entityName)" }
}

@Entity final class Tag: Named {
  #Unique<Tag>([\.name], [\.kind, \.order])
  #Index<Tag>([\.name, \.kind])
  @Attribute(.length(1...40)) var name: String
  var kind: Kind = .plain
  var level: Level?
  var order: Int = 0
  @Relationship var items: ToMany<Item>
}

@Entity(importKey: "code") class Item: ManagedObject {
  @Attribute(.unique) var code: UUID = UUID()
  @Attribute(.indexed, .range(0...5)) var priority: Int16 = 0
  var title: String
  var address: Address?
  var size: Size?
  var words: [String] = []
  @Transient var shown: String = ""
  @Relationship(inverse: \Tag.items) var tags: ToMany<Tag>
  @Relationship(inverse: \Project.items) var project: Project?
  @Relationship(inverse: \Item.parts) var whole: Item?
  @Relationship(deleteRule: .cascade) var parts: OrderedToMany<Item>

  struct Size: Codable, Equatable { var width = 1 }

  convenience init(title: String, context: ManagedObjectContext) {
    self.init(context: context)
    self.title = title
  }

  override func awakeFromInsert() { title = "new" }
  override func awakeFromFetch() { shown = title.uppercased() }
  override func awakeFromSnapshotEvents(_ flags: SnapshotEventType) { shown = title.uppercased() }

  override func willSave() {
    if words.isEmpty { words = split(title) }
  }

  override func didSave() { shown = "saved" }
  override func prepareForDeletion() { parts.removeAll() }
  override func willTurnIntoFault() { super.willTurnIntoFault() }
  override func didTurnIntoFault() { super.didTurnIntoFault() }

  override func validate(_ value: Any?, for property: String) throws {
    if property == "title", title.isEmpty { throw CauldronError(.validationFailed, "No title.") }
  }

  override func validateForInsert() throws { try super.validateForInsert() }
  override func validateForUpdate() throws { try super.validateForUpdate() }
  override func validateForDelete() throws { try super.validateForDelete() }
  override func shouldImport(_ source: ImportSource) throws -> Bool { true }
  override func willImport(_ source: ImportSource) throws {}
  func importTitle(_ value: String) { title = value.capitalized }
  func shouldImportPriority(_ source: ImportSource) -> Bool { false }

  func raise() { priority += 1 }
  var isTop: Bool { priority == 5 }
}

nonisolated func split(_ text: String) -> [String] {
  text.split(separator: " ").map(String.init)
}

extension Item {
  var line: String { "\(priority) \(title)" }
}

nonisolated extension Item {
  var lineOffMain: String { "\(priority) \(title)" }
}

@Entity final class Bug: Item {
  var severity: Int = 0
  override func didImport(_ source: ImportSource) throws { severity += 1 }
}

@Entity final class Project: ManagedObject {
  var name: String
  @Attribute(derived: "items.@count") var itemCount: Int
  @Relationship(deleteRule: .cascade) var items: ToMany<Item>
}

public enum Models {
  @Entity(isAbstract: true) class Shape: ManagedObject { var n: Int = 0 }
  @Entity final class Circle: Shape { var r: Double = 0 }
}
