import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// Serves the page, its stream and what it asks for, on this computer alone.
final class BoardServer: Sendable {
  let board: Board
  /// How many people the page's button imports.
  let importCount: Int
  private let port: UInt16
  private let server: HTTPServer
  private let isStopped = Mutex(false)

  /// - Parameter port: 0 for any free one.
  init(_ board: Board, port: UInt16, importCount: Int) throws {
    self.board = board
    self.importCount = importCount
    self.port = port
    server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: port),
      pool: PatientPool(base: HTTPServer.defaultPool()), logger: .disabled)
  }

  /// Serves until ``stop()``, or until the task is cancelled.
  /// - Parameter ready: Is given the address of the page.
  func run(_ ready: @escaping @Sendable (URL) async throws -> Void) async throws {
    OpenFiles.allowMost()
    for (route, answer) in routes {
      await server.appendRoute(HTTPRoute(route)) { request in await self.reply(to: request, answer)
      }
    }
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.serve() }
      group.addTask {
        try await self.server.waitUntilListening()
        try await ready(self.address())
      }
      for try await _ in group {}
    }
  }

  /// Ends the streams and the server.
  func stop() async {
    isStopped.withLock { $0 = true }
    board.closeAll()
    await server.stop(timeout: 1)
  }

  /// The server ends by an error in any case. Where it has too many connections it begins anew without them:
  /// the pages ask again.
  private func serve() async throws {
    while true {
      do { try await server.run() } catch {
        if isStopped.withLock({ $0 }) { return }
        guard case SocketError.failed(_, let code, let message) = error else { throw error }
        guard code == EMFILE || code == ENFILE else {
          throw Refusal("Cannot listen on 127.0.0.1:\(port): \(message).")
        }
        tell("Too many connections: all are closed.")
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  private func address() async throws -> URL {
    guard case .ip4(let host, let port) = await server.listeningAddress,
      let url = URL(string: "http://\(host):\(port)/")
    else { throw Refusal("The server has no address.") }
    return url
  }

  /// Refuses what another site's page sends here.
  private func guardAgainstOthers(_ request: HTTPRequest) throws {
    let host = request.headers[.host] ?? ""
    let isHere = ["127.0.0.1", "localhost"].contains { host == $0 || host.hasPrefix("\($0):") }
    let origin = request.headers[HTTPHeader("Origin")]
    guard isHere, origin == nil || origin == "http://\(host)" else {
      throw Refusal("Only this page may ask.", .forbidden)
    }
  }

  /// The answer, or why there is none.
  private func reply(to request: HTTPRequest, _ answer: Answer) async -> HTTPResponse {
    do {
      try guardAgainstOthers(request)
      return try await answer(request)
    } catch {
      return HTTPResponse(error as? Refusal ?? Refusal("\(error)", .conflict))
    }
  }
}
