import Cauldron
import Foundation

/// A list of Debian's package iso-codes.
struct ISOList: Sendable {
  static let folder = URL(filePath: "/usr/share/iso-codes/json", directoryHint: .isDirectory)

  /// The number of the standard, which is also what leads to the records.
  let number: String
  /// Imports the list.
  let load: @Sendable (Stack) async throws -> ImportReport
  /// How many objects of it the store has.
  let count: @Sendable (LocalContext) throws -> Int

  init<Entity: ManagedEntity>(_ number: String, _ type: Entity.Type) {
    self.number = number
    let url = Self.folder.appending(path: "iso_\(number).json")
    load = { try await $0.importJSON(contentsOf: url, as: type, root: number) }
    count = { try type.count(in: $0) }
  }

  var url: URL { Self.folder.appending(path: "iso_\(number).json") }

  static let all = [
    ISOList("3166-1", Country.self), ISOList("3166-2", Subdivision.self),
    ISOList("639-3", Language.self), ISOList("639-5", LanguageFamily.self),
    ISOList("639-2", LibraryEntry.self), ISOList("15924", Script.self),
    ISOList("4217", Currency.self),
  ]

  /// The records as Foundation reads them, to hold the import against.
  func records() throws -> [[String: String]] {
    let file = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
    return (file as? [String: [[String: String]]])?[number] ?? []
  }
}
