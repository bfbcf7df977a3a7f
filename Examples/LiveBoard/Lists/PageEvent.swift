import Foundation

/// What the stream of a page carries.
enum PageEvent: Sendable {
  /// The first one.
  case hello(page: String)
  case list(Version)
  case pulse(Pulse)
  /// Why the list is not right, in one sentence.
  case problem(String)

  /// As a server-sent event; it is written where the stream is read, not where things happen.
  func encoded() throws -> [UInt8] {
    switch self {
    case .hello(let page): try Self.event("hello", ["page": page])
    case .list(let version): try Self.event("list", ListChange(version))
    case .pulse(let pulse): try Self.event("pulse", pulse)
    case .problem(let text): try Self.event("problem", ["text": text])
    }
  }

  private static func event(_ name: String, _ value: some Encodable) throws -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + Array(try JSON.encoder.encode(value))
      + Array("\n\n".utf8)
  }
}
