import Observation

/// What observers of a list observe.
///
/// It is not generic as the list is: a key path of a generic type is made anew at each use, which takes
/// longer than to tell somebody.
final class ListFace: Observable, Sendable {
  private let registrar = ObservationRegistrar()

  private var snapshot: Int { 0 }
  private var error: Int { 0 }

  func accessSnapshot() { registrar.access(self, keyPath: \.snapshot) }

  func accessError() { registrar.access(self, keyPath: \.error) }

  func changeSnapshot(_ body: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.snapshot, body)
  }

  func changeError() { registrar.withMutation(of: self, keyPath: \.error) {} }
}
