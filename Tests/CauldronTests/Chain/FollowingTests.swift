import Cauldron
import CauldronModel
import Dispatch
import Foundation
import TestSupport
import Testing

/// A context that merges by itself shows what saves have made of all that it sees: in every layout, at every
/// depth, wherever the save began.
@Suite(.againstHanging, .ownThread) struct FollowingTests {
  enum Source: String, CaseIterable {
    case mainToStore, mainToParent, saveBlock, childOfMain, beside, parentOfFollower
  }

  enum Change: String, CaseIterable { case update, deletion, insertion }

  /// A chain below the main context whose last context merges, and has read a company with one person.
  private struct Chain {
    let bench: Bench
    let contexts: [ManagedObjectContext]
    let company: Lent<Company>
    let person: Lent<Person>

    init(_ layout: StackLayout, depth: Int, mergesAll: Bool) throws {
      let bench = try Bench { $0.layout = layout }
      try bench.onMain { main in
        Person.named("ann", age: 1, at: Company.named("acme", in: main), in: main)
        try main.saveAndWait(toPersistentStore: true)
      }
      var contexts = [bench.mainContext]
      for level in 1...depth {
        let context = bench.child("Level \(level)", of: contexts[level - 1])
        context.automaticallyMergesChangesFromParent = mergesAll || level == depth
        contexts.append(context)
      }
      (company, person) = try contexts[depth].performAndWait { local in
        let company = try #require(try Company.findFirst(in: local))
        let person = try #require(try Person.findFirst(in: local))
        #expect(person.age == 1 && company.employees.count == 1)
        return (Lent(company), Lent(person))
      }
      self.bench = bench
      self.contexts = contexts
    }

    /// Has one context make and save a change.
    func save(_ change: Change, from source: Source) throws {
      switch source {
      case .mainToStore, .mainToParent:
        try bench.onMain { main in
          try make(change, in: main)
          if source == .mainToParent { return try main.save() }
          try main.saveAndWait(toPersistentStore: true)
        }
      case .saveBlock: try bench.stack.saveAndWait { try make(change, in: $0.context) }
      case .childOfMain: try make(change, savedIn: bench.child("Sibling", of: bench.mainContext))
      case .beside: try make(change, savedIn: bench.committed())
      case .parentOfFollower: try make(change, savedIn: contexts[contexts.count - 2])
      }
    }

    private func make(_ change: Change, savedIn context: ManagedObjectContext) throws {
      try context.performAndWait { local in
        try make(change, in: local.context)
        try local.context.save()
      }
    }

    private func make(_ change: Change, in context: ManagedObjectContext) throws {
      switch change {
      case .update: try #require(try Person.findFirst(in: context)).age = 2
      case .deletion: try #require(try Person.findFirst(in: context)).delete()
      case .insertion: Person.named("bob", at: try Company.findFirst(in: context), in: context)
      }
    }

    /// Whether the objects of the last context show a change soon.
    func shows(_ change: Change) -> Bool {
      comesTrueSoon {
        bench.settleMain()
        return contexts[contexts.count - 1].performAndWait { _ in
          switch change {
          case .update: person.value.age == 2
          case .deletion: person.value.isDeleted
          case .insertion: company.value.employees.count == 2
          }
        }
      }
    }
  }

  @Test(arguments: StackLayout.allCases, [1, 2, 3])
  func `what a save has changed is shown at every depth, wherever it began`(
    _ layout: StackLayout, _ depth: Int
  ) throws {
    for mergesAll in depth == 1 ? [true] : [true, false] {
      for (source, change) in Source.allCases.flatMap({ source in
        Change.allCases.map { (source, $0) }
      }) {
        // That parent is the main context, which is a source of its own.
        if source == .parentOfFollower, depth == 1 { continue }
        let chain = try Chain(layout, depth: depth, mergesAll: mergesAll)
        try chain.save(change, from: source)
        #expect(chain.shows(change), "\(source) \(change), all merge: \(mergesAll)")
      }
    }
  }

  @Test(arguments: StackLayout.allCases)
  func `the main context shows what a context on the store has saved`(
    _ layout: StackLayout
  ) throws {
    for change in Change.allCases {
      let bench = try Bench { $0.layout = layout }
      let (company, person) = try bench.onMain { main in
        let company = Company.named("acme", in: main)
        let person = Person.named("ann", age: 1, at: company, in: main)
        try main.saveAndWait(toPersistentStore: true)
        #expect(company.employees.count == 1)
        return (Lent(company), Lent(person))
      }
      let beside = bench.committed()
      try beside.performAndWait { local in
        switch change {
        case .update: try #require(try Person.findFirst(in: local)).age = 2
        case .deletion: try #require(try Person.findFirst(in: local)).delete()
        case .insertion:
          Person.named("bob", at: try Company.findFirst(in: local), in: local.context)
        }
        try local.context.save()
      }
      bench.settleMain()
      bench.onMain { _ in
        switch change {
        case .update: #expect(person.value.age == 2)
        case .deletion: #expect(person.value.isDeleted)
        case .insertion: #expect(company.value.employees.count == 2)
        }
      }
    }
  }

  @Test func `a context that reads no unsaved changes learns of them when they are written`() throws
  {
    let chain = try Chain(.writerRoot, depth: 2, mergesAll: true)
    let bench = chain.bench
    let last = chain.contexts[2]
    last.readsUncommitted = false
    try chain.save(.update, from: .mainToParent)
    bench.settleMain()
    last.performAndWait { _ in #expect(chain.person.value.age == 1) }
    try bench.root.performAndWait { try $0.context.save() }
    #expect(chain.shows(.update))
  }

  @Test(arguments: [1, 2])
  func `what a save has taken back is taken back at every depth`(_ depth: Int) throws {
    let chain = try Chain(.writerRoot, depth: depth, mergesAll: true)
    let bench = chain.bench
    try bench.stack.saveAndWait { Person.named("bob", in: $0.context).email = "taken" }
    bench.settleMain()
    let child = bench.child("Sibling", of: bench.mainContext)
    try child.performAndWait { local in
      let ann = try #require(try Person.findFirst(where: \.name == "ann", in: local))
      (ann.age, ann.email) = (2, "taken")
    }
    try child.saveAndWait(toPersistentStore: false)
    #expect(chain.shows(.update))
    // The store refuses what the child has saved, which goes back to the child.
    _ = try? bench.onMain { try $0.saveAndWait(toPersistentStore: true) }
    #expect(!bench.isDirty(bench.root) && child.performAndWait { $0.hasChanges })
    #expect(
      comesTrueSoon {
        bench.settleMain()
        return chain.contexts[depth].performAndWait { _ in chain.person.value.age == 1 }
      })
  }
}
