import Cauldron

/// What the tests move money between.
@Entity final class Account: ManagedObject {
  var owner: String
  var balance: Int = 0
  /// Changed on its own, so that two contexts change different properties of one account.
  var mark: Int = 0
  /// What was appended, each entry followed by a comma.
  var diary: String = ""
}

extension Account {
  @discardableResult
  static func named(
    _ owner: String, balance: Int = 0, in context: ManagedObjectContext
  ) -> Account {
    let account = create(in: context)
    account.owner = owner
    account.balance = balance
    return account
  }

  /// The owners that a context sees, in alphabetical order.
  static func owners(in context: some ObjectContext) throws -> [String] {
    try findAll(sortedBy: \.owner, in: context).map(\.owner)
  }
}
