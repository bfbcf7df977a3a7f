import Cauldron

/// What notes belong to; one more root entity that takes keys.
@Entity final class Shelf: ManagedObject {
  var number: Int = 0
  @Relationship var notes: ToMany<Note>
}

/// One of the rows that a save adds.
@Entity final class Note: ManagedObject {
  /// The number of the save that adds it.
  var batch: Int = 0
  var position: Int = 0
  var text: String = ""
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
}
