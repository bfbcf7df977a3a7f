/// New values for some of a person's properties.
struct PersonChange: Codable, Sendable {
  var name: String?
  var city: String?
  var age: Int?
  var isFavourite: Bool?

  func apply(to person: Person) {
    if let name { person.name = name }
    if let city { person.city = city }
    if let age { person.age = age }
    if let isFavourite { person.isFavourite = isFavourite }
  }
}
