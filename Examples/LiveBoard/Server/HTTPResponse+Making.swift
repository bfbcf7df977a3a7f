import FlyingFox
import Foundation

extension HTTPResponse {
  /// There is nothing to tell but that it is done.
  static let done = HTTPResponse(statusCode: .noContent)

  /// The page, which is one file.
  static func page(importCount: Int) -> HTTPResponse {
    let text = String(decoding: PackageResources.Board_html, as: UTF8.self)
      .replacing("IMPORT_COUNT", with: "\(importCount)")
    return HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: Data(text.utf8))
  }

  static func json(_ value: some Encodable) throws -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: try JSON.encoder.encode(value))
  }

  /// Events that go out as they come.
  static func stream(_ events: AsyncStream<PageEvent>) -> HTTPResponse {
    HTTPResponse(
      statusCode: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: HTTPBodySequence(from: EventBytes(events: events)))
  }

  init(_ refusal: Refusal) {
    self.init(
      statusCode: Self.status(of: refusal.kind),
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: Data(refusal.description.utf8))
  }

  private static func status(of kind: Refusal.Kind) -> HTTPStatusCode {
    switch kind {
    case .wrong: .badRequest
    case .forbidden: .forbidden
    case .gone: .gone
    case .tooLong: .payloadTooLarge
    case .conflict: .conflict
    }
  }
}
