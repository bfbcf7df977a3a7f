import Cauldron

/// One save: what it changes, and how.
struct LedgerJob: Sendable {
  struct Step: Sendable {
    let account: Int
    let id: ManagedObjectID
    let property: String
    /// The new value, or what is added where amounts are moved.
    let value: Int
  }

  let steps: [Step]
  let plan: LedgerPlan
  let policy: MergePolicy
  let way: LedgerWay
  let pause: Int
  let number: Int

  init(
    _ plan: LedgerPlan, _ number: Int, _ ids: [ManagedObjectID], _ random: inout SoakGenerator
  ) {
    (self.plan, self.number) = (plan, number)
    let policy = plan.policy(&random)
    self.policy = policy
    let ways = LedgerWay.allCases.filter {
      // Others see what main has not saved, event by event; a stack's save tells no resolutions.
      !($0 == .main && plan == .moving) && !($0 == .stack && policy != .error && policy != .strict)
    }
    way = ways[Int.random(in: 0..<ways.count, using: &random)]
    pause = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 1...3, using: &random) : 0
    let chosen = ids.indices.shuffled(using: &random).prefix(
      plan == .moving ? 2 : Int.random(in: 1...2, using: &random))
    let amount = Int.random(in: 1...100, using: &random)
    var steps: [Step] = []
    for (index, account) in chosen.enumerated() {
      for property in plan.properties where steps.count <= index || Bool.random(using: &random) {
        let value = Int(random.next() >> 2)
        steps.append(
          Step(
            account: account, id: ids[account], property: property,
            value: plan == .moving ? (index == 0 ? amount : -amount) : value))
      }
    }
    self.steps = steps
  }

  /// Makes the edits.
  func edit(_ context: LocalContext) throws -> [LedgerEntry] {
    var entries: [LedgerEntry] = []
    for step in steps {
      guard let account = try LedgerAccount.find(step.id, in: context) else {
        throw SoakFailure("Account \(step.account) is gone.")
      }
      let was = step.property == "balance" ? account.balance : account.mark
      let new = plan == .moving ? was + step.value : step.value
      if step.property == "balance" { account.balance = new } else { account.mark = new }
      if plan == .moving { context.processPendingChanges() }
      entries.append(
        LedgerEntry(
          .init(account: step.account, property: step.property), was: was, new: new,
          "save \(number), \(way.rawValue), \(policy)"))
    }
    return entries
  }
}
