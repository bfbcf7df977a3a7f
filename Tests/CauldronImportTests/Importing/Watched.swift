import Cauldron
import Foundation

/// An entity that has a say in its import.
@Entity final class Watched: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String?
  var calls: String = ""
  var size: Int?
  @Relationship(inverse: "friendOf") var friends: ToMany<Watched>
  @Relationship(inverse: "friends", imported: false) var friendOf: ToMany<Watched>
  @Relationship var boss: Watched?
  @Relationship(inverse: "boss", imported: false) var staff: ToMany<Watched>

  struct Refused: Error {}

  override func shouldImport(_ source: ImportSource) throws -> Bool {
    calls += "should "
    return source["skip"]?.bool != true
  }

  override func willImport(_ source: ImportSource) throws {
    calls += "will "
    if source["throws"]?.string == "will" { throw Refused() }
  }

  override func didImport(_ source: ImportSource) throws {
    calls += "did(\(boss == nil ? "-" : "boss")) "
    if source["throws"]?.string == "did" { throw Refused() }
  }

  func importName(_ value: String?) -> Bool {
    calls += "name(\(value ?? "nil")) "
    if value == "shout" {
      name = "SHOUT"
      return true
    }
    return false
  }

  func shouldImportSize(_ source: ImportSource) -> Bool { source.int != 13 }
}
