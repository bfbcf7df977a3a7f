import Cauldron
import TestSupport

/// What there is of papers, in four levels, the first and one of the second of which are abstract.
@Entity(isAbstract: true) class Paper: ManagedObject {
  #Unique<Paper>([\.code])
  var code: String?
  var title: String = ""
  @Relationship(inverse: \Binder.papers) var binder: Binder?
  @Relationship(inverse: \Slip.paper) var slips: ToMany<Slip>
}

@Entity class Bill: Paper {
  var number: Int = 0
  var amount: Double = 0
  @Relationship(inverse: \BillItem.bill, deleteRule: .cascade) var items: ToMany<BillItem>
}

@Entity class Dunning: Bill {
  var level: Int16 = 1
  @Relationship(inverse: \Clerk.dunnings, deleteRule: .deny) var clerks: ToMany<Clerk>
}

@Entity final class LastDunning: Dunning {
  var court: String?
}

@Entity(isAbstract: true) class Mailing: Paper {
  var place: String?
}

@Entity final class Letter: Mailing {
  var number: String = ""
  @Relationship(inverse: \BillItem.letter, deleteRule: .nullify) var items: OrderedToMany<BillItem>
}

@Entity final class Card: Mailing {
  var number: Double?
  var amount: Int = 5
}

@Entity final class BillItem: ManagedObject {
  var name: String = ""
  @Relationship var bill: Bill?
  @Relationship var letter: Letter?
}

@Entity final class Clerk: ManagedObject {
  var name: String = ""
  @Relationship var dunnings: ToMany<Dunning>
}

@Entity final class Binder: ManagedObject {
  var label: String = ""
  @Relationship(deleteRule: .cascade) var papers: ToMany<Paper>
}

/// A note on a paper, of whatever kind.
@Entity final class Slip: ManagedObject {
  var text: String = ""
  @Relationship var paper: Paper?
}

enum Archive {
  static func bench(_ kind: StoreKind = .memory) throws -> Bench {
    try Bench(
      kind,
      model: ManagedObjectModel(
        Paper.self, Bill.self, Dunning.self, LastDunning.self, Mailing.self, Letter.self,
        Card.self, BillItem.self, Clerk.self, Binder.self, Slip.self))
  }

  /// One of each kind, with codes and titles "a" to "e".
  @discardableResult
  static func fill(_ context: ManagedObjectContext) -> [Paper] {
    let bill = Bill.create(in: context)
    (bill.number, bill.amount) = (1, 1.5)
    let dunning = Dunning.create(in: context)
    (dunning.number, dunning.amount, dunning.level) = (2, 2.5, 2)
    let last = LastDunning.create(in: context)
    (last.number, last.level, last.court) = (3, 3, "Hamburg")
    let letter = Letter.create(in: context)
    (letter.number, letter.place) = ("L-4", "Kiel")
    let card = Card.create(in: context)
    (card.number, card.amount) = (5.25, 50)
    let papers = [bill, dunning, last, letter, card]
    for (paper, name) in zip(papers, "abcde") { (paper.code, paper.title) = ("\(name)", "\(name)") }
    return papers
  }
}

extension Paper {
  static func titles(in context: ManagedObjectContext) throws -> String {
    try Paper.findAll(sortedBy: \.title, in: context).map(\.title).joined()
  }

  static func titled(_ title: String, in context: ManagedObjectContext) throws -> Paper? {
    try findFirst(where: \.title == title, in: context)
  }
}
