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

  /// What an object's own code says against it, each problem by itself. The text of a foreign error may
  /// hold values, so that only its type is told.
  /// - Parameter property: Nil where the object as a whole was looked at.
  static func refused(
    _ error: any Error, by hook: String, of object: ManagedObject, property: String?
  ) -> [CauldronError] {
    let name = ([object.layout.name] + (property.map { [$0] } ?? [])).joined(separator: ".")
    let own =
      error as? CauldronError
      ?? CauldronError(
        .validationFailed, "\(name) is refused by \(hook), which throws \(type(of: error))."
      ).with { $0.underlying = error }
    return own.single.map { problem in
      problem.with {
        if $0.entity == nil { $0.entity = object.layout.name }
        if $0.property == nil { $0.property = property }
        if $0.objectIDs.isEmpty { $0.objectIDs = [object.objectID] }
      }
    }
  }

  /// What an error for several problems consists of; the error itself where it is for one.
  private var single: [CauldronError] {
    code == .validationMultiple && !details.isEmpty ? details.flatMap(\.single) : [self]
  }

  private static func text(of date: TimeInterval) -> String {
    Date(timeIntervalSinceReferenceDate: date).formatted(.iso8601)
  }

  private static func units(_ count: Int) -> String {
    count == 1 ? "1 UTF-16 unit" : "\(count) UTF-16 units"
  }
}
