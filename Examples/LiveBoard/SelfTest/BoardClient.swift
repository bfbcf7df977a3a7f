import Foundation
import FoundationNetworking

/// Asks the server as the page does.
struct BoardClient: Sendable {
  let address: URL
  /// The window that the requests are of.
  var page = ""

  init(_ address: URL) { self.address = address }

  /// All rows of a version, a thousand at a time.
  func rows(of version: Int, count: Int) async throws -> [Row] {
    var rows: [Row] = []
    for start in stride(from: 0, to: count, by: 1_000) {
      rows += try await self.rows(of: version, from: start, count: 1_000)
    }
    return rows
  }

  func rows(of version: Int, from: Int, count: Int) async throws -> [Row] {
    let data = try await send(
      "GET", "rows", ["version": "\(version)", "from": "\(from)", "count": "\(count)"])
    return try JSON.decoder.decode(Rows.self, from: data).rows
  }

  /// Begins an edit session, and changes a person in it.
  func edit(_ row: Row, _ change: PersonChange) async throws -> PersonFields {
    _ = try await send("POST", "session", ["person": row.id])
    let data = try await send("PATCH", "session", body: try JSON.encoder.encode(change))
    return try JSON.decoder.decode(PersonFields.self, from: data)
  }

  /// Sends a request, and gives the body of the answer.
  /// - Throws: The server's sentence where it refuses.
  @discardableResult
  func send(
    _ method: String, _ path: String, _ query: [String: String] = [:], body: Data? = nil
  ) async throws -> Data {
    var url = address.appending(path: path)
    url.append(queryItems: query.merging(["page": page]) { $1 }.map(URLQueryItem.init))
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw WrongAnswer("\(method) /\(path): \(status), \(String(decoding: data, as: UTF8.self))")
    }
    return data
  }
}
