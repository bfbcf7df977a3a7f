import Cauldron

/// An entity with a relationship of every kind, and one that most of them lead to.
@Entity final class Node: ManagedObject {
  var uid: Int = 0
  var value: Int = 0
  @Relationship(inverse: \Node.children) var parent: Node?
  @Relationship var children: ToMany<Node>
  @Relationship(inverse: \Node.parts) var whole: Node?
  @Relationship var parts: OrderedToMany<Node>
  @Relationship(inverse: \Node.likedBy) var likes: ToMany<Node>
  @Relationship var likedBy: ToMany<Node>
  @Relationship(inverse: \Mark.nodes) var marks: ToMany<Mark>
  @Relationship(inverse: \Mark.ranking) var rankedBy: ToMany<Mark>
  @Relationship(inverse: \Mark.chief) var crown: Mark?
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

enum Graph {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [Node._describeEntity(), Mark._describeEntity(), SubMark._describeEntity()])
  }
}
