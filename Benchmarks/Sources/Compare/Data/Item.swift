import Cauldron

@Entity final class Item: ManagedObject {
  var name: String
  var city: String
  var email: String
  var title: String
  var age: Int
  var score: Int
  var count: Int
  var height: Double
  var weight: Double
  var flag: Bool
}

@Entity final class Box: ManagedObject {
  var label: String
  @Relationship var parts: ToMany<Part>
}

@Entity final class Part: ManagedObject {
  var number: Int
  @Relationship(inverse: \Box.parts) var box: Box?
}

extension Item {
  func set(_ values: ItemValues) {
    name = values.name
    city = values.city
    email = values.email
    title = values.title
    age = values.age
    score = values.score
    count = values.count
    height = values.height
    weight = values.weight
    flag = values.flag
  }

  /// Something that depends on every value.
  var digest: Int {
    name.utf8.count &+ city.utf8.count &+ email.utf8.count &+ title.utf8.count &+ age &+ score
      &+ count &+ Int(height) &+ Int(weight) &+ (flag ? 1 : 0)
  }

  static func create(_ items: [ItemValues], in context: ManagedObjectContext) {
    for values in items { create(in: context).set(values) }
  }
}
