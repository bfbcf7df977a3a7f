import Cauldron
import CauldronModel
import Foundation

/// What code of a class throws.
struct Unwanted: Error {}

/// Deletes who works for it, and may refuse what it got.
@Entity final class Chief: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: "staff") var boss: Chief?
  @Relationship(inverse: "boss", deleteRule: .cascade) var staff: ToMany<Chief>

  override func didImport(_ source: ImportSource) throws {
    if source["throws"]?.string == "did" { throw Unwanted() }
  }
}

/// Fills in what is required when it is saved.
@Entity final class Stamped: ManagedObject {
  @Attribute(.unique) var id: Int
  var stamp: Date
  var name: String?

  override func willSave() { stamp = Date(timeIntervalSince1970: 0) }

  func importName(_ value: String?) { name = value?.uppercased() }
}

/// Has code that runs when it is created, and fills in nothing that is required.
@Entity final class Awakened: ManagedObject {
  @Attribute(.unique) var id: Int
  var title: String
  var created: Date?
  @Relationship(inverse: \Realm.seat, imported: false) var realm: Realm?

  override func awakeFromInsert() { created = Date(timeIntervalSince1970: 0) }
}

/// Fills in what is required when it is created.
@Entity final class Titled: ManagedObject {
  @Attribute(.unique) var id: Int
  var title: String
  @Relationship(inverse: \Realm.crown, imported: false) var realm: Realm?

  override func awakeFromInsert() { title = "untitled" }
}

/// Fills in nothing that is required when it is saved.
@Entity final class Saved: ManagedObject {
  @Attribute(.unique) var id: Int
  var title: String
  var changed: Date?
  @Relationship(inverse: \Realm.treasure, imported: false) var realm: Realm?

  override func willSave() { changed = Date(timeIntervalSince1970: 0) }
}

@Entity final class Realm: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship var seat: Awakened?
  @Relationship var treasure: Saved?
  @Relationship var crown: Titled?
}

/// Can tell somebody when a record of its own is looked at.
@Entity final class Ticket: ManagedObject {
  @Attribute(.unique) var code: String
  @Attribute(.check("is told") { (count: Int) in Ticket.told(count) }) var count: Int?
  @Relationship(inverse: "children", unknown: .skip) var parent: Ticket?
  @Relationship(inverse: "parent", imported: false) var children: ToMany<Ticket>

  /// What is called when a record has a number.
  static let tellers = Locked<[Int: @Sendable () -> Void]>([:])

  static func told(_ count: Int) -> Bool {
    tellers.withLock { $0[count] }?()
    return true
  }
}

/// Never has its friends imported.
@Entity final class Shy: ManagedObject {
  @Attribute(.unique) var id: Int
  @Relationship(inverse: "friendOf") var friends: ToMany<Shy>
  @Relationship(inverse: "friends", imported: false) var friendOf: ToMany<Shy>

  func shouldImportFriends(_ source: ImportSource) -> Bool { false }
}

/// Saves in the middle.
@Entity final class Saver: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String?

  override func didImport(_ source: ImportSource) throws {
    if source["saves"]?.bool == true { try managedObjectContext?.save() }
    if source["rollsBack"]?.bool == true { managedObjectContext?.rollback() }
  }
}

/// Imports others, and may throw afterwards.
@Entity final class Nester: ManagedObject {
  @Attribute(.unique) var id: Int
  var name: String?

  override func didImport(_ source: ImportSource) throws {
    guard source["nests"]?.bool == true, let context = managedObjectContext else { return }
    try Tongue.importFrom([["code": "x", "name": "X"]], in: context)
    if source["throws"]?.string == "did" { throw Unwanted() }
  }
}

/// Has functions of its own for what it links, and for what sets something else.
@Entity final class Busy: ManagedObject {
  @Attribute(.unique) var id: Int
  var label: String?
  var title: String?
  @Relationship(inverse: "friendOf") var friends: ToMany<Busy>
  @Relationship(inverse: "friends", imported: false) var friendOf: ToMany<Busy>

  func importLabel(_ value: String?) { title = value }

  func importFriends(_ source: ImportSource) throws {
    guard let context = managedObjectContext else { return }
    friends = try [Busy.findOrCreate(\.id, 1, in: context)]
  }
}
