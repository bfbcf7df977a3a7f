/// What a stanza of the index says about a package.
///
/// Values cross from the parser to the context; objects never do.
struct PackageRecord: Sendable {
  var name = ""
  var version = ""
  var architecture: String?
  var installedSize = 0
  var size = 0
  var summary: String?
  var section: String?
  var maintainer: String?
}

/// A line that is not in the format of the index.
struct MalformedLine: Sendable {
  let number: Int
  let reason: String
}
