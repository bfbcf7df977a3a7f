import Cauldron

/// What the bank's tests move money between.
@Entity final class Account: ManagedObject {
  var balance: Int = 0
  /// Changed on its own, so that two contexts change different properties of one account.
  var mark: Int = 0
}
