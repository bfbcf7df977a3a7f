import Testing

extension ExitTest.Result? {
  /// What the stopped program wrote to its standard error.
  var sentence: String {
    guard let self else { return "" }
    return String(decoding: self.standardErrorContent, as: UTF8.self)
  }
}
