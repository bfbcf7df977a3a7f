import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// What a save of the truth kit does.
enum SaveKind: CaseIterable, Sendable {
  /// Creates accounts.
  case insertion
  /// Creates an account and changes one that others change, too, from an old reading.
  case conflict
  /// Creates an account, and another one without its required owner.
  case invalid
  /// Changes nothing.
  case empty
}

/// How a save is asked for.
enum SaveForm: CaseIterable, Sendable { case completion, andWait, async }

/// One of the concurrent saves: a context of its own, edited, and ready to be saved.
struct TruthSave: Sendable {
  let number: Int
  let kind: SaveKind
  let form: SaveForm
  let context: ManagedObjectContext

  /// What the save's own rows are called; they are in the store exactly if the save was.
  var owner: String { "save \(number)" }

  /// Edits the context; `shared` are the accounts that conflicts are about.
  func edit(_ shared: [ManagedObjectID]) throws {
    try context.performAndWait { local in
      switch kind {
      case .insertion: for _ in 0..<3 { Account.named(owner, in: local.context) }
      case .conflict:
        Account.named(owner, in: local.context)
        try local.context.account(shared[number % shared.count]).mark = number + 1
      case .invalid:
        Account.named(owner, in: local.context)
        _ = Account.create(in: local.context)
      case .empty: break
      }
    }
  }

  /// How many rows of its own a saved save has in the store.
  var rowCount: Int {
    switch kind {
    case .insertion: 3
    case .conflict, .invalid: 1
    case .empty: 0
    }
  }
}

/// Fifty saves at once, and fifty answers that are compared with the store.
struct TruthRun: Sendable {
  let kit: Kit
  let saves: [TruthSave]
  let shared: [ManagedObjectID]
  private let lies = Locked<[String]>([])
  private let answers = Locked<[Int: Int]>([:])

  init(_ place: Kit.Place, seed: UInt64, count: Int = 50) throws {
    var random = SeededGenerator(seed: seed)
    let kit = try Kit(place)
    self.kit = kit
    shared = try kit.store("x", "y", "z")
    saves = (0..<count).map { number in
      TruthSave(
        number: number, kind: random.pick(SaveKind.allCases),
        form: random.pick(SaveForm.allCases),
        context: kit.child("context \(number)", of: random.once(in: 2) ? kit.root : nil))
    }
  }

  /// Runs all saves and returns what was not true.
  func run() async throws -> [String] {
    for save in saves { try save.edit(shared) }
    let (finished, outcomes) = (DispatchGroup(), self)
    await withTaskGroup(of: Void.self) { group in
      for save in saves where save.form == .async {
        group.addTask { await outcomes.runAsync(save) }
      }
      for save in saves where save.form != .async {
        finished.enter()
        DispatchQueue.global().async { outcomes.start(save, finished) }
      }
      await group.waitForAll()
    }
    await withCheckedContinuation { done in
      finished.notify(queue: .global()) { done.resume() }
    }
    try checkEnd()
    return lies.withLock { $0 }
  }

  private func start(_ save: TruthSave, _ finished: DispatchGroup) {
    if save.form == .andWait {
      judge(save, Result { try save.context.saveAndWait(toPersistentStore: true) })
      finished.leave()
      return
    }
    save.context.save(toPersistentStore: true) { didSave, error in
      if !kit.isOnMain { lie("\(save.owner) was answered on another queue") }
      judge(save, didSave: didSave, error: error)
      finished.leave()
    }
  }

  private func runAsync(_ save: TruthSave) async {
    do {
      let outcome = try await save.context.save(toPersistentStore: true)
      judge(save, .success(outcome))
    } catch {
      judge(save, .failure(error))
    }
  }

  private func judge(_ save: TruthSave, _ result: Result<SaveOutcome, any Error>) {
    switch result {
    case .success(.saved(let summary)):
      if summary.carriedBy == summary.saveID { lie("\(save.owner) was carried by itself") }
      judge(save, didSave: true, error: nil)
    case .success(.noChanges): judge(save, didSave: false, error: nil)
    case .failure(let error): judge(save, didSave: false, error: error)
    }
  }

  /// Compares an answer with the store, at the moment it is given.
  private func judge(_ save: TruthSave, didSave: Bool, error: (any Error)?) {
    answers.withLock { $0[save.number, default: 0] += 1 }
    let rows = (try? storedRows(save)) ?? -1
    switch (didSave, error) {
    case (true, nil):
      if rows != save.rowCount { lie("\(save.owner), \(save.kind): saved, but \(rows) rows") }
      if save.kind == .invalid { lie("\(save.owner): a missing value was saved") }
    case (false, let error?):
      if rows != 0 { lie("\(save.owner), \(save.kind): \(error), but \(rows) rows") }
      if save.kind == .empty || save.kind == .insertion { lie("\(save.owner): \(error)") }
    case (false, nil):
      if save.kind != .empty { lie("\(save.owner), \(save.kind): nothing to save") }
    case (true, .some): lie("\(save.owner): saved with an error")
    }
  }

  /// A second reader's count of the save's rows.
  private func storedRows(_ save: TruthSave) throws -> Int {
    try kit.sibling("reader").performAndWait { context in
      try Account.count(where: \.owner == save.owner, in: context)
    }
  }

  private func checkEnd() throws {
    for save in saves where answers.withLock({ $0[save.number] }) != 1 {
      lie("\(save.owner) was not answered exactly once")
    }
    let marks = try kit.sibling("reader").performAndWait { context in
      try shared.map { try context.context.account($0).mark }
    }
    for (number, mark) in marks.enumerated() {
      guard mark > 0 else { continue }
      let save = saves[mark - 1]
      if try storedRows(save) == 0 { lie("\(save.owner) has failed, but changed x\(number)") }
    }
    try kit.stack.close()
  }

  private func lie(_ what: String) { lies.withLock { $0.append(what) } }
}
