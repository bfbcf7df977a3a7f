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
