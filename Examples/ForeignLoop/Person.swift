import Cauldron

@Entity final class Person: ManagedObject {
  var name: String
}
