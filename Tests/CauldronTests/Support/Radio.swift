import Cauldron

@Entity final class Playlist: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \Track.playlist) var tracks: OrderedToMany<Track>
  @Relationship(inverse: \Listener.favourites) var fans: ToMany<Listener>
}

@Entity class Track: ManagedObject {
  var title: String = ""
  @Relationship var playlist: Playlist?
}

@Entity final class Jingle: Track {
  @Relationship(inverse: \Listener.jingles) var hearer: Listener?
}

@Entity final class Listener: ManagedObject {
  var name: String = ""
  @Relationship var favourites: OrderedToMany<Playlist>
  @Relationship var jingles: ToMany<Jingle>
}

enum Radio {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        Playlist._describeEntity(), Track._describeEntity(), Jingle._describeEntity(),
        Listener._describeEntity(),
      ])
  }
}

extension Track {
  @discardableResult
  static func titled(
    _ title: String, on playlist: Playlist? = nil, in context: ManagedObjectContext
  ) -> Track {
    let track = create(in: context)
    track.title = title
    track.playlist = playlist
    return track
  }
}

extension Playlist {
  @discardableResult
  static func named(_ name: String, in context: ManagedObjectContext) -> Playlist {
    let playlist = create(in: context)
    playlist.name = name
    return playlist
  }

  static func named(_ name: String, of context: ManagedObjectContext) throws -> Playlist? {
    try findFirst(where: \.name == name, in: context)
  }

  /// The titles of the tracks in their order, as one word.
  var titles: String { tracks.map(\.title).joined() }
}

extension Listener {
  @discardableResult
  static func named(_ name: String, in context: ManagedObjectContext) -> Listener {
    let listener = create(in: context)
    listener.name = name
    return listener
  }

  static func named(_ name: String, of context: ManagedObjectContext) throws -> Listener? {
    try findFirst(where: \.name == name, in: context)
  }

  /// The names of the favourites in their order, as one word.
  var names: String { favourites.map(\.name).joined() }
}
