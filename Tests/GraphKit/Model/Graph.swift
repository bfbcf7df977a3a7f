import Cauldron

/// An entity with a relationship of every kind, to which most of the others lead.
@Entity final class Node: ManagedObject {
  var uid: Int = 0
  var value: Int = 0
  var weight: Int = 0
  @Relationship(inverse: \Node.children) var parent: Node?
  @Relationship var children: ToMany<Node>
  @Relationship(inverse: \Node.parts) var whole: Node?
  @Relationship var parts: OrderedToMany<Node>
  @Relationship(inverse: \Node.likedBy) var likes: ToMany<Node>
  @Relationship var likedBy: ToMany<Node>
  @Relationship(inverse: \Mark.nodes) var marks: ToMany<Mark>
  @Relationship(inverse: \Mark.ranking) var rankedBy: ToMany<Mark>
  @Relationship(inverse: \Mark.chief) var crown: Mark?
  @Relationship(inverse: \Crate.rows) var shelf: Crate?
  @Relationship(inverse: \Crate.steps) var step: Crate?
  @Relationship(inverse: \Crate.packs) var packedIn: ToMany<Crate>
  @Relationship(inverse: \Crate.guards) var guarded: ToMany<Crate>
  @Relationship(inverse: \Word.nodes) var words: ToMany<Word>
  @Relationship(isOneWay: true) var holds: ToMany<Node>
  @Relationship(inverse: "friends") var friends: ToMany<Node>
}

@Entity class Mark: ManagedObject {
  var uid: Int = 0
  @Relationship var nodes: ToMany<Node>
  @Relationship var ranking: OrderedToMany<Node>
  @Relationship var chief: Node?
}

@Entity final class SubMark: Mark {
  var extra: String?
}

/// What takes others along when it is deleted, or cannot be deleted because of them.
@Entity final class Crate: ManagedObject {
  var uid: Int = 0
  @Relationship(deleteRule: .cascade) var pieces: ToMany<Piece>
  @Relationship(deleteRule: .cascade) var rows: OrderedToMany<Node>
  @Relationship(deleteRule: .cascade) var packs: ToMany<Node>
  @Relationship(deleteRule: .deny) var steps: OrderedToMany<Node>
  @Relationship(deleteRule: .deny) var guards: ToMany<Node>
}

@Entity final class Piece: ManagedObject {
  var uid: Int = 0
  var value: Int = 0
  @Relationship(.required, inverse: \Crate.pieces) var home: Crate?
}

/// What there is once for each name.
@Entity final class Word: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var value: Int = 0
  var weight: Int = 0
  @Relationship var nodes: ToMany<Node>
}

enum Graph {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        Node._describeEntity(), Mark._describeEntity(), SubMark._describeEntity(),
        Crate._describeEntity(), Piece._describeEntity(), Word._describeEntity(),
      ])
  }
}
