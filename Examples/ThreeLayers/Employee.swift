import Cauldron
import Foundation

@Entity final class Employee: ManagedObject {
  var name: String
  var birthday: Date?
  var height: Double = 0
}

extension Employee {
  var summary: String {
    let day = birthday?.formatted(.iso8601.year().month().day()) ?? "unknown"
    return "\(name), born \(day), \(height) m"
  }
}
