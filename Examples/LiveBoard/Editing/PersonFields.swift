import Cauldron

/// What an edit session shows of its person.
struct PersonFields: Codable, Sendable {
  let id: String
  let name: String
  let city: String
  let age: Int
  let isFavourite: Bool
  /// The properties that differ from what is saved.
  let unsaved: [String]

  init(_ person: Person) {
    id = "\(person.objectID)"
    name = person.name
    city = person.city
    age = person.age
    isFavourite = person.isFavourite
    unsaved = person.changedValues().keys.sorted()
  }
}
