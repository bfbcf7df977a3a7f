import Cauldron

/// A country of ISO 3166-1.
@Entity final class Country: ManagedObject {
  @Attribute(.unique, from: "alpha_2") var code: String
  @Attribute(from: "alpha_3") var longCode: String
  @Attribute(from: "common_name", "name") var name: String
  @Attribute(from: "official_name") var officialName: String?
  var numeric: String
  var flag: String
  @Relationship(inverse: \Subdivision.country, imported: false) var subdivisions:
    ToMany<Subdivision>
}

/// A subdivision of ISO 3166-2, whose country is the beginning of its code.
@Entity final class Subdivision: ManagedObject {
  @Attribute(.unique) var code: String
  var name: String
  @Attribute(from: "type") var kind: String
  @Relationship(
    unknown: .skip, transform: ImportTransform { $0["code"]?.string.map { String($0.prefix(2)) } })
  var country: Country?
  /// Most parents are written without the code of the country, and many come later in the file.
  @Relationship(
    inverse: "parts", unknown: .skip,
    transform: ImportTransform { record in
      guard let parent = record["parent"]?.string, let code = record["code"]?.string else {
        return nil
      }
      return parent.contains("-") ? parent : code.prefix(3) + parent
    })
  var parent: Subdivision?
  @Relationship(inverse: "parent", imported: false) var parts: ToMany<Subdivision>
}
