import Cauldron
import Foundation

enum Kind: String, Codable { case plain, urgent }

@Entity final class Tag: ManagedObject {
  #Unique<Tag>([\.name], [\.kind, \.order])
  #Index<Tag>([\.name, \.kind])
  @Attribute(.length(1...40)) var name: String
  var kind: Kind = .plain
  var order: Int = 0
  @Relationship var items: ToMany<Item>
}

@Entity final class Item: ManagedObject {
  @Attribute(.unique) var code: UUID = UUID()
  @Attribute(.indexed, .range(0...5)) var priority: Int16 = 0
  var title: String
  @Relationship(inverse: \Tag.items) var tags: ToMany<Tag>
  @Relationship(.required, inverse: \Project.items) var project: Project?
  @Relationship(inverse: \Item.parts) var whole: Item?
  @Relationship(deleteRule: .cascade) var parts: OrderedToMany<Item>
  @Relationship(inverse: \Item.relatedBy) var related: ToMany<Item>
  @Relationship var relatedBy: ToMany<Item>

  override func validateForUpdate() throws {
    try super.validateForUpdate()
  }
}

@Entity final class Project: ManagedObject {
  var name: String
  @Relationship(deleteRule: .cascade) var items: ToMany<Item>
}

private func urgent(_ project: Project, in context: ManagedObjectContext) throws -> [Item] {
  let tag = try Tag.findOrCreate(\.name, "swift", in: context)
  tag.items.formUnion(project.items)
  return try project.items.where(\.priority >= 3, sortedBy: \.title)
}
