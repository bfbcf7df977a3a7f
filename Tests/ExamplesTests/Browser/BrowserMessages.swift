/// What goes to a browser's driver and comes back.
struct Capabilities: Encodable {
  struct Options: Encodable {
    let args: [String]
  }
  private let capabilities: [String: [String: Options]]

  /// - Parameter profile: Where the browser keeps what it remembers.
  init(profile: String) {
    let flags = [
      "--headless", "--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage",
      "--window-size=1280,1040", "--user-data-dir=\(profile)",
    ]
    capabilities = ["alwaysMatch": ["goog:chromeOptions": Options(args: flags)]]
  }
}

struct NewSession: Decodable {
  let sessionId: String
}

struct Script: Encodable {
  let script: String
  var args: [String] = []
}

struct Answer<Value: Decodable>: Decodable {
  let value: Value
}

/// The value of an answer that has none.
struct Nothing: Codable {
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {}
}

struct BrowserError: Error, CustomStringConvertible {
  let description: String
}
