import Cauldron

/// A tree that is deleted from its root.
@Entity final class Twig: ManagedObject {
  var number: Int
  @Relationship(inverse: \Twig.twigs) var stem: Twig?
  @Relationship(deleteRule: .cascade) var twigs: ToMany<Twig>
}

/// Both ends of links.
@Entity final class Note: ManagedObject {
  var number: Int
  @Relationship(inverse: \Label.notes) var labels: ToMany<Label>
}

@Entity final class Label: ManagedObject {
  var number: Int
  @Relationship var notes: ToMany<Note>
}

/// Many that each lead to one.
@Entity final class Worker: ManagedObject {
  var name: String
  var age: Int
  @Relationship(inverse: \Firm.workers) var firm: Firm?
}

@Entity final class Firm: ManagedObject {
  var name: String
  @Relationship var workers: ToMany<Worker>
}

/// What is imported, and what its records name.
@Entity final class Member: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String
  var age: Int
  @Relationship(inverse: \Club.members) var club: Club?
}

@Entity final class Club: ManagedObject {
  @Attribute(.unique) var number: Int
  @Relationship(imported: false) var members: ToMany<Member>
}
