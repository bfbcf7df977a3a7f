import Cauldron

// Of the model editor's entities classes are left, and of what was noted of them, arguments.

@Entity final class Person: ManagedObject {
  // mappedKeyName = full_name
  @Attribute(from: "full_name") var name: String
  var age: Int = 0
  var team: String?
  @Relationship(inverse: \Company.employees) var employer: Company?
}

@Entity final class Company: ManagedObject {
  // relatedByAttribute = name, of Company and of Person's employer
  @Attribute(.unique) var name: String?
  @Relationship(deleteRule: .cascade) var employees: ToMany<Person>
}
