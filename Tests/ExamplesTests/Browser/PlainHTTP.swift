import Foundation

/// One HTTP request over a socket. URLSession refuses what the driver of Chromium answers: its headers
/// have no space behind the colon.
enum PlainHTTP {
  /// Sends a request to a port of this computer, and gives the body of the answer.
  /// - Parameter seconds: How long the answer may take.
  static func send(
    _ method: String, _ path: String, port: UInt16, body: Data?, within seconds: Double
  ) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let end = ContinuousClock.now + .seconds(seconds)
            return try exchange(message(method, path, port, body), port: port, until: end)
          })
      }
    }
  }

  private static func message(
    _ method: String, _ path: String, _ port: UInt16, _ body: Data?
  ) -> Data {
    let head = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close",
      "Content-Type: application/json", "Content-Length: \(body?.count ?? 0)", "", "",
    ]
    return Data(head.joined(separator: "\r\n").utf8) + (body ?? Data())
  }

  private static func exchange(
    _ message: Data, port: UInt16, until end: ContinuousClock.Instant
  ) throws -> Data {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let file = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw BrowserError(description: "Nobody listens at port \(port).") }
    try file.write(contentsOf: message)
    var (answer, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      if let body = body(of: answer) { return body }
      var poll = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let rest = max(0, (end - .now) / .milliseconds(1))
      guard Glibc.poll(&poll, 1, Int32(rest)) > 0 else {
        throw BrowserError(description: "Nobody has answered in time.")
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { throw BrowserError(description: "An answer has no end.") }
      answer += buffer[..<count]
    }
  }

  /// The body of an answer; nil where it is not whole yet. The driver leaves the connection open.
  private static func body(of answer: Data) -> Data? {
    guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    let length = head.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
    let body = answer[end.upperBound...]
    return body.count >= length ? body : nil
  }
}
