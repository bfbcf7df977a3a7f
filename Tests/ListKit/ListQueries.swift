import Cauldron

/// Queries of every shape that a list has to keep right.
enum ListQueries {
  static func query(_ numbers: [Int]) throws -> ObjectQuery<Track> {
    var query = try condition(numbers[0]).map { Track.where($0) } ?? ObjectQuery<Track>()
    query.request.sortKeys = order(numbers[1])
    if numbers[2] % 3 == 0 { query = query.limit(1 + numbers[2] / 3 % 7) }
    if numbers[2] % 5 == 0 { query = query.offset(numbers[2] / 5 % 4) }
    if numbers[3] % 11 == 0 { query = query.includingSubentities(false) }
    if numbers[3] % 13 == 0 { query = query.includingPendingChanges(false) }
    return query
  }

  private static func condition(_ number: Int) throws -> Where<Track>? {
    switch number % 11 {
    case 0: \.number < 50
    case 1: \.rating != nil
    case 2: .beginsWith(\.title, "a", .ignoringCase)
    case 3: try Where(format: "disc.name == 'one' OR disc == nil")
    case 4: try Where(format: "disc.artist.name BEGINSWITH 'a'")
    case 5: try Where(format: "ANY labels.name == 'red'")
    case 6: try Where(format: "labels.@count > 1")
    case 7: try Where(format: "disc.tracks.@count > 2")
    case 8: \.number >= 10 && \.number < 90
    default: nil
    }
  }

  private static func order(_ number: Int) -> [SortKey] {
    switch number % 7 {
    case 0: [SortKey("number")]
    case 1: [SortKey("title", ascending: false), SortKey("number")]
    case 2: [SortKey("title", .ignoringCase)]
    case 3: [SortKey("added"), SortKey("rating", ascending: false)]
    case 4: [SortKey("disc.name", ascending: false), SortKey("number")]
    case 5: [SortKey("disc.artist.name")]
    default: []
    }
  }

  static func section(_ number: Int) -> SectionKey<Track>? {
    switch number % 9 {
    case 0: .value(of: \.number)
    case 1: .firstLetter(of: \.title)
    case 2: .value("disc.name")
    case 3: .day("added", timeZone: "Europe/Berlin")
    case 4: .custom(of: \.number) { "\($0 / 10)" }
    case 5: .month("added")
    default: nil
    }
  }
}
