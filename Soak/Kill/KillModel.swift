import Cauldron

/// The header of one save: it tells how many items the save had.
@Entity final class Batch: ManagedObject {
  var number: Int = 0
  var size: Int = 0
  @Relationship var items: ToMany<Item>
  /// One-way, so that no item knows of it.
  @Relationship(isOneWay: true) var first: Item?
  @Attribute(derived: "items.@count") var itemCount: Int
}

/// One of the rows that a save adds.
@Entity final class Item: ManagedObject {
  var position: Int = 0
  var payload: String
  @Attribute(derived: "uppercase:(payload)") var loud: String?
  /// The items before and behind: a relationship that is its own inverse.
  @Relationship(inverse: "beside") var beside: ToMany<Item>
  @Relationship(inverse: \Batch.items) var batch: Batch?
}

/// The one row that every save changes.
@Entity final class Counter: ManagedObject {
  var saves: Int = 0
  var items: Int = 0
}

enum KillModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(Batch.self, Item.self, Counter.self, name: "Kill")
  }

  /// Adds what one save consists of.
  static func add(_ number: Int, size: Int, payload: String, in context: LocalContext) throws {
    let batch = Batch.create(in: context)
    batch.number = number
    batch.size = size
    var last: Item?
    for position in 0..<size {
      let item = Item.create(in: context)
      item.position = position
      item.payload = payload
      item.batch = batch
      if let last { item.beside.insert(last) } else { batch.first = item }
      last = item
    }
    let counter = try Counter.findFirst(in: context) ?? Counter.create(in: context)
    counter.saves += 1
    counter.items += size
  }
}
