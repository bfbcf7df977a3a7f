package import CauldronModel
import Foundation

extension CauldronError {
  /// A value that breaks a rule of the model.
  /// - Parameter name: The property with its entity.
  package static func broken(_ failure: RuleFailure, name: String) -> CauldronError {
    switch failure {
    case .tooSmall(let least):
      CauldronError(.validationTooSmall, "\(name) must be at least \(least).")
    case .tooLarge(let most):
      CauldronError(.validationTooLarge, "\(name) must be at most \(most).")
    case .tooSoon(let date):
      CauldronError(.validationTooSoon, "\(name) must not be before \(text(of: date)).")
    case .tooLate(let date):
      CauldronError(.validationTooLate, "\(name) must not be after \(text(of: date)).")
    case .tooShort(let least):
      CauldronError(.validationTooShort, "\(name) must have at least \(units(least)).")
    case .tooLong(let most):
      CauldronError(.validationTooLong, "\(name) must have at most \(units(most)).")
    case .noMatch(let pattern):
      CauldronError(.validationNoMatch, "\(name) must match \"\(pattern)\".")
    case .other(let sentence):
      CauldronError(.validationFailed, "\(name) \(sentence).")
    }
  }

  private static func text(of date: TimeInterval) -> String {
    Date(timeIntervalSinceReferenceDate: date).formatted(.iso8601)
  }

  private static func units(_ count: Int) -> String {
    count == 1 ? "1 UTF-16 unit" : "\(count) UTF-16 units"
  }
}
