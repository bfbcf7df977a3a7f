import Cauldron
import Foundation

/// A model with every kind of relationship: to-one, one-to-one, to-many, many-to-many, to itself and
/// into a hierarchy.
@Entity class Worker: ManagedObject {
  var name: String?
  var age: Int?
  var pay: Double?
  var balance: Decimal?
  var isActive: Bool = false
  var born: Date?
  var photo: Data?
  var size: Int = 0
  @Relationship(inverse: \Firm.staff) var employer: Firm?
  @Relationship(inverse: \Worker.mentees) var mentor: Worker?
  @Relationship var mentees: ToMany<Worker>
  @Relationship(inverse: \Skill.workers) var skills: ToMany<Skill>
  @Relationship(inverse: \Desk.owner) var desk: Desk?
}

@Entity final class Chief: Worker {
  var level: Int = 0
}

@Entity final class Firm: ManagedObject {
  var name: String?
  var rating: Double?
  var size: Int = 0
  @Relationship var staff: ToMany<Worker>
}

@Entity final class Skill: ManagedObject {
  var name: String?
  var level: Int = 0
  @Relationship var workers: ToMany<Worker>
}

@Entity final class Desk: ManagedObject {
  var number: Int = 0
  @Relationship var owner: Worker?
}

enum Trade {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        Worker._describeEntity(), Chief._describeEntity(), Firm._describeEntity(),
        Skill._describeEntity(), Desk._describeEntity(),
      ])
  }
}
