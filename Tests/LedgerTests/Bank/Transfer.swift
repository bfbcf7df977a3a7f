import Cauldron

/// The record of a movement between two accounts.
@Entity final class Transfer: ManagedObject {
  var number: Int = 0
}
