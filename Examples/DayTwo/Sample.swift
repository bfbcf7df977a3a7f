import Cauldron
import Logging

/// What the people are like, by their numbers.
enum Sample {
  static let people = 10_000
  static let companies = 10

  static func first(_ number: Int) -> String { "First\(number)" }
  static func last(_ number: Int) -> String { "Last \(number)" }
  static func label(_ number: Int) -> String? {
    number.isMultiple(of: 2) ? "label \(number)" : nil
  }
  static func mail(_ number: Int) -> String? {
    number.isMultiple(of: 3) ? "\(number)@example.org" : nil
  }
  static func company(_ number: Int) -> String { "Company \(number)" }
  static func employer(_ number: Int) -> Int? {
    number.isMultiple(of: 4) ? nil : number % companies
  }
}

extension StackConfiguration {
  /// A configuration that logs nothing; a real program keeps its log.
  static var quiet: StackConfiguration {
    var configuration = StackConfiguration()
    configuration.logger = Logger(label: "cauldron") { _ in SwiftLogNoOpLogHandler() }
    return configuration
  }
}
