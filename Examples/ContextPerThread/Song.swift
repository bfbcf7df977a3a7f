import Cauldron

@Entity final class Song: ManagedObject {
  var title: String
}
