import Cauldron

@Entity final class Project: ManagedObject {
  var name: String
  @Relationship(deleteRule: .cascade) var items: ToMany<Item>
}

@Entity final class Item: ManagedObject {
  var title: String
  var isDone: Bool = false
  @Relationship(inverse: \Project.items) var project: Project?
  @Relationship(inverse: \Item.parts) var whole: Item?
  @Relationship(deleteRule: .cascade) var parts: OrderedToMany<Item>
  @Relationship(inverse: \Label.items) var labels: ToMany<Label>
}

@Entity final class Label: ManagedObject {
  @Attribute(.unique, .length(1...40)) var name: String
  @Relationship var items: ToMany<Item>
}

extension Project {
  /// Adds an item with its parts, in their order.
  @discardableResult
  func add(_ title: String, parts: [String] = [], in context: ManagedObjectContext) -> Item {
    let item = Item.create(in: context)
    item.title = title
    item.project = self
    for title in parts {
      let part = Item.create(in: context)
      part.title = title
      item.parts.append(part)
    }
    return item
  }
}
