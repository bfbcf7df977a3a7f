import Cauldron

// Of the model editor's entities classes are left.

@Entity final class Person: ManagedObject {
  var name: String
  var age: Int = 0
  var team: String?
  @Relationship(inverse: \Company.employees) var employer: Company?
}

@Entity final class Company: ManagedObject {
  @Attribute(.unique) var name: String?
  @Relationship(deleteRule: .cascade) var employees: ToMany<Person>
}
