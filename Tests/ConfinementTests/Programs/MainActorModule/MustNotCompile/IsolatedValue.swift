// error: main actor-isolated conformance of 'Place' to 'Decodable' cannot satisfy conformance requirement for a 'Sendable' type parameter
import Cauldron

struct Place: Codable { var name = "" }

@Entity final class Card: ManagedObject {
  var place: Place?
}
