import Cauldron
import Foundation

enum Mood: String { case fine, bad }
enum Level: Int16 {
  case low = 1
  case high = 9
}
struct Address: Codable, Equatable, Sendable {
  var street: String
  var number: Int
}

@Entity final class Everything: ManagedObject {
  var text: String
  var int: Int
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var flag: Bool
  var double: Double
  var float: Float
  var decimal: Decimal
  var date: Date
  var data: Data
  var uuid: UUID
  var url: URL
  var mood: Mood = .fine
  var level: Level = .low
  var address: Address = Address(street: "", number: 0)
  var tags: [String] = []
  @Transient var scratch: [Int] = []
}

@Entity final class Perhaps: ManagedObject {
  var text: String?
  var int: Int?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var flag: Bool?
  var double: Double?
  var float: Float?
  var decimal: Decimal?
  var date: Date?
  var data: Data?
  var uuid: UUID?
  var url: URL?
  var mood: Mood?
  var level: Level?
  var address: Address?
}

@Entity final class Defaults: ManagedObject {
  var token: UUID = UUID()
  var title: String = "untitled"
  var count: Int = -7
  var ratio: Double = 0.5
  var isOpen: Bool = true
  var note: String? = "none"
  var madeAt: Date = Date(timeIntervalSinceReferenceDate: 5)
}
