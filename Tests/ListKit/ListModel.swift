import Cauldron
import Foundation

/// What the lists are of: values of several types, and a relationship of every kind on the way to others.
@Entity class Track: ManagedObject {
  var title: String = ""
  @Attribute(.range(0...1_000)) var number: Int = 0
  var rating: Double?
  var added: Date?
  @Relationship(inverse: \Disc.tracks) var disc: Disc?
  @Relationship(inverse: \Label.tracks) var labels: ToMany<Label>
}

@Entity final class Remix: Track {
  var speed: Int = 0
}

@Entity final class Disc: ManagedObject {
  var name: String = ""
  @Relationship var tracks: ToMany<Track>
  @Relationship(inverse: \Artist.discs) var artist: Artist?
}

@Entity final class Artist: ManagedObject {
  var name: String = ""
  @Relationship var discs: ToMany<Disc>
}

@Entity final class Label: ManagedObject {
  var name: String = ""
  @Relationship var tracks: ToMany<Track>
}

enum ListModel {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        Track._describeEntity(), Remix._describeEntity(), Disc._describeEntity(),
        Artist._describeEntity(), Label._describeEntity(),
      ])
  }
}
