/// What conditions and expressions refuse while they are decoded: what the tree cannot say, in whatever
/// format it comes.
enum TreeDecoding {
  /// The names under which parts lie that are a level of their own.
  private static let levelNames: Set<String> = ["a", "b", "list", "condition"]

  /// Refuses what is nested more deeply than a tree may be: before its parts are decoded, which needs the
  /// stack for each level.
  /// - Throws: `query.tooDeep`.
  static func checkDepth(_ decoder: any Decoder) throws {
    let path = decoder.codingPath
    // Each level of a junction is a name and a place in its list.
    guard path.count > PredicateJunction.greatestDepth else { return }
    let levels = path.count { levelNames.contains($0.stringValue) }
    if levels > PredicateJunction.greatestDepth { throw CauldronError.tooDeep(nil) }
  }

  /// The one of some names under which there is something: it says what kind of part it is.
  /// - Throws: `query.unsupported` where there are several, or none.
  static func only<Key: CodingKey>(
    _ names: [Key], of what: String, in values: KeyedDecodingContainer<Key>
  ) throws -> Key {
    let found = names.filter { values.contains($0) }
    if found.count == 1 { return found[0] }
    let all = names.map { "\"\($0.stringValue)\"" }.joined(separator: ", ")
    let said = found.map { "\"\($0.stringValue)\"" }.joined(separator: " and ")
    throw refusal(
      values.codingPath,
      "\(what) is told by one of \(all), and has \(found.isEmpty ? "none" : said)")
  }

  /// Why a tree cannot be decoded, with its place.
  static func refusal(_ path: [any CodingKey], _ reason: String) -> CauldronError {
    let shown = path.suffix(8).map { $0.intValue.map(String.init) ?? $0.stringValue }
    let place = path.count > shown.count ? "…/" : "/"
    return CauldronError(
      .queryUnsupported,
      "Cannot decode the condition at \(place)\(shown.joined(separator: "/")): \(reason).",
      hint: "Encode it anew from a condition of this version.")
  }
}

extension TextOptions: Codable {
  /// - Throws: `query.unsupported` where a bit stands for no option.
  public init(from decoder: any Decoder) throws {
    let bits = try decoder.singleValueContainer().decode(Int.self)
    guard let options = TextOptions(exactly: bits) else {
      throw TreeDecoding.refusal(decoder.codingPath, "there are no text options \(bits)")
    }
    self = options
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
