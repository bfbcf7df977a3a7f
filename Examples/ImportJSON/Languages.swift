import Cauldron

/// A language of ISO 639-3.
@Entity final class Language: ManagedObject {
  @Attribute(.unique, from: "alpha_3") var code: String
  @Attribute(from: "alpha_2") var shortCode: String?
  var name: String
  @Attribute(from: "inverted_name") var invertedName: String?
  var scope: String
  @Attribute(from: "type") var kind: String
  @Relationship(inverse: "language", imported: false) var entries: ToMany<LibraryEntry>
}

/// A family or group of languages of ISO 639-5.
@Entity final class LanguageFamily: ManagedObject {
  @Attribute(.unique, from: "alpha_3") var code: String
  var name: String
  @Relationship(inverse: "family", imported: false) var entries: ToMany<LibraryEntry>
}

/// An entry of ISO 639-2, the list of libraries: a language, or a family of them, with the same code.
@Entity final class LibraryEntry: ManagedObject {
  @Attribute(.unique, from: "alpha_3") var code: String
  @Attribute(from: "common_name", "name") var name: String
  var bibliographic: String?
  @Relationship(inverse: "entries", from: "alpha_3", unknown: .skip) var language: Language?
  @Relationship(inverse: "entries", from: "alpha_3", unknown: .skip) var family: LanguageFamily?
}

/// A script of ISO 15924.
@Entity final class Script: ManagedObject {
  @Attribute(.unique, from: "alpha_4") var code: String
  var name: String
  var numeric: String
}

/// A currency of ISO 4217.
@Entity final class Currency: ManagedObject {
  @Attribute(.unique, from: "alpha_3") var code: String
  var name: String
  var numeric: String
}
