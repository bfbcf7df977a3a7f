// error: an enumeration needs a raw type, as in 'enum Color: String'
import Cauldron

enum Color { case red }

@Entity final class Car: ManagedObject {
  var color: Color = .red
}
