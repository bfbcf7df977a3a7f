import Cauldron
import FlyingFox
import Foundation

extension HTTPRequest {
  /// A number that the request must have.
  func number(_ name: String) throws -> Int {
    guard let number = query[name].flatMap({ Int($0) }) else {
      throw Refusal("The request lacks the number \"\(name)\".")
    }
    return number
  }

  /// The body, which may have 64 KB: what is longer is read past, and not kept.
  var shortBody: Data {
    get async throws {
      var body = Data()
      for try await piece in bodySequence {
        body += piece
        if body.count > 1 << 16 { throw Refusal("The request is too long.", .tooLong) }
      }
      return body
    }
  }

  /// The person that the request names.
  var person: ManagedObjectID {
    get throws {
      let coordinator = Stack.default.coordinator
      guard let url = query["person"].flatMap({ URL(string: $0) }),
        let id = coordinator.managedObjectID(forURIRepresentation: url)
      else { throw Refusal("The request names nobody.") }
      return id
    }
  }
}
