import Cauldron
import Foundation

/// What many ask for at once, by its name.
@Entity final class Name: ManagedObject {
  #Unique<Name>([\.text])
  var text: String?
  /// Made anew for each object, so that two objects of one name would differ.
  var token: UUID = UUID()
  /// What each of the eight who ask sets of its own.
  var mark0: Int = 0
  var mark1: Int = 0
  var mark2: Int = 0
  var mark3: Int = 0
  var mark4: Int = 0
  var mark5: Int = 0
  var mark6: Int = 0
  var mark7: Int = 0
}

enum NamesModel {
  /// How many contexts a process has.
  static let contexts = 4
  static let processes = 2

  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(Name.self, name: "Names")
  }
}
