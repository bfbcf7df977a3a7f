import Cauldron
import Foundation

@Entity final class Person: ManagedObject {
  #Index<Person>([\.name])
  @Attribute(.length(1...60)) var name: String
  @Attribute(.length(1...40)) var city: String
  @Attribute(.range(0...130)) var age: Int = 0
  var joined: Date?
  var isFavourite: Bool = false
}

extension Person {
  /// Those in whose name or city a text stands, but for case and diacritics; all of them where it
  /// is empty.
  static func containing(_ text: String) -> ObjectQuery<Person> {
    let all = ObjectQuery<Person>().sorted(by: \.name)
    if text.isEmpty { return all }
    return all.where(
      .contains(\.name, text, .ignoringCaseAndDiacritics)
        || .contains(\.city, text, .ignoringCaseAndDiacritics))
  }
}
