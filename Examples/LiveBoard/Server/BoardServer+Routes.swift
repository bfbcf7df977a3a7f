import FlyingFox
import Foundation

extension BoardServer {
  typealias Answer = @Sendable (HTTPRequest) async throws -> HTTPResponse

  /// What is asked, and who answers.
  var routes: [(String, Answer)] {
    [
      ("GET /", { _ in .page(importCount: self.importCount) }),
      ("GET /events", { _ in await self.events() }),
      ("GET /rows", rows),
      ("POST /search", search),
      ("POST /import", startImport),
      ("POST /favourite", toggleFavourite),
      ("POST /session", beginSession),
      ("PATCH /session", changeSession),
      ("DELETE /session", throwAwaySession),
      ("POST /session/save", saveSession),
      ("POST /session/delete", deleteInSession),
    ]
  }

  /// Opens a window; the fetch of its list goes on while the stream begins.
  private func events() async -> HTTPResponse {
    let page = await board.open()
    Task { @MainActor in
      do { try await page.open() } catch { board.refuse(page, error) }
    }
    return .stream(page.events)
  }

  /// Rows of a version of the list; the main queue is not asked.
  private func rows(_ request: HTTPRequest) throws -> HTTPResponse {
    let page = try board.page(request.query["page"])
    let version = try request.number("version")
    let (from, count) = (try request.number("from"), try request.number("count"))
    guard let rows = page.versions.rows(version, from: from, count: min(count, 1_000)) else {
      throw Refusal("The list has gone on.", .gone)
    }
    return try .json(rows)
  }

  private func search(_ request: HTTPRequest) async throws -> HTTPResponse {
    let page = try board.page(request.query["page"])
    try await page.search(request.query["text"] ?? "")
    return .done
  }

  private func startImport(_ request: HTTPRequest) throws -> HTTPResponse {
    try board.startImport(min(max(try request.number("count"), 1), 1_000_000))
    return .done
  }
}
