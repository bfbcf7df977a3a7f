import Cauldron

/// What notes belong to; one more root entity that takes keys.
@Entity final class Shelf: ManagedObject {
  var number: Int = 0
  @Relationship var notes: ToMany<Note>
  @Attribute(derived: "notes.@count") var noteCount: Int
}

/// One of the rows that a save adds.
@Entity final class Note: ManagedObject {
  /// The number of the save that adds it.
  var batch: Int = 0
  var position: Int = 0
  var text: String = ""
  @Attribute(derived: "uppercase:(text)") var loud: String?
  @Relationship(isOneWay: true) var origin: Note?
  @Relationship(inverse: \Shelf.notes) var shelf: Shelf?
}

/// The one row that every save changes: it tells which saves the file has.
@Entity final class Tally: ManagedObject {
  /// A bit for each save.
  var mask: Int = 0
  var saves: Int = 0
}

enum FaultModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(Shelf.self, Note.self, Tally.self, name: "Faults")
  }

  /// What the former model has and this one gives up: so much that the table of notes is written anew.
  static let discards = ["Note.colour: String", "Note.size: Int"]

  /// A former version: notes have no position, and two things more.
  static func former() throws -> ManagedObjectModel {
    let entities = try make().entities.map { entity in
      guard entity.name == "Note" else { return entity }
      var entity = entity
      entity.properties.removeAll { $0.name == "position" }
      entity.properties += [
        .attribute(
          AttributeDescription(name: "colour", type: .string, default: .constant(.text("x")))),
        .attribute(AttributeDescription(name: "size", type: .integer64)),
      ]
      return entity
    }
    return try ManagedObjectModel(entities: entities, name: "Faults")
  }
}
