import Cauldron
import FlyingFox
import Foundation

extension BoardServer {
  /// Begins to edit a person; what was edited before is thrown away.
  func beginSession(_ request: HTTPRequest) async throws -> HTTPResponse {
    let page = try board.page(request.query["page"])
    let session = EditSession(try request.person)
    let fields = try await session.fields()
    await page.keep(session)
    return try .json(fields)
  }

  func changeSession(_ request: HTTPRequest) async throws -> HTTPResponse {
    let body = try await request.shortBody
    guard let change = try? JSON.decoder.decode(PersonChange.self, from: body) else {
      throw Refusal("An age is a whole number.")
    }
    return try .json(try await session(of: request).change(change))
  }

  func throwAwaySession(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await board.page(request.query["page"]).keep(nil)
    return .done
  }

  /// Saves what was edited; where that fails, the session goes on.
  func saveSession(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await session(of: request).save()
    return try await throwAwaySession(request)
  }

  func deleteInSession(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await session(of: request).delete()
    return try await throwAwaySession(request)
  }

  /// Edits a person without a session, by a save of its own.
  func toggleFavourite(_ request: HTTPRequest) async throws -> HTTPResponse {
    let id = try request.person
    try await Stack.default.save(named: "Favourite", retries: 3) { context in
      try Person.find(id, in: context)?.isFavourite.toggle()
    }
    return .done
  }

  private func session(of request: HTTPRequest) async throws -> EditSession {
    guard let session = try await board.page(request.query["page"]).session else {
      throw Refusal("Nobody is being edited.", .gone)
    }
    return session
  }
}
