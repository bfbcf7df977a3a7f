import Cauldron
import Foundation

@Entity final class Employee: ManagedObject {
  var name: String
  var birthday: Date?
  var height: Double = 0
}
