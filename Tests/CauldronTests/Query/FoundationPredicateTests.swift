import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

@Entity class Scribe: ManagedObject {
  enum Mood: Int, Codable, Sendable {
    case calm = 1
    case busy
    case angry
  }
  var name: String = ""
  var email: String?
  var age: Int = 0
  var height: Double?
  var mood: Mood = Mood.calm
  var formerMood: Mood?
  var isActive: Bool = false
  var isHidden: Bool?
  var born: Date?
  var photo: Data?
  @Relationship(inverse: \Bureau.clerks) var bureau: Bureau?
  @Relationship(inverse: \Scribe.helpers) var boss: Scribe?
  @Relationship var helpers: ToMany<Scribe>

  /// What no store knows.
  var title: String { "Mx \(name)" }
}

@Entity final class HeadScribe: Scribe {
  var level: Int = 0
}

@Entity final class Bureau: ManagedObject {
  var name: String = ""
  var floor: Int?
  @Relationship var clerks: OrderedToMany<Scribe>
}

@Suite struct FoundationPredicateTests {
  private let bench: Bench
  private let context: ManagedObjectContext
  private let bureau: ManagedObjectID

  init() throws {
    let model = try ManagedObjectModel(
      entities: [
        Scribe._describeEntity(), HeadScribe._describeEntity(), Bureau._describeEntity(),
      ])
    bench = try Bench(.file, model: model)
    let maker = bench.child()
    let bureau = Bureau.create(in: maker)
    bureau.name = "Maps"
    bureau.floor = 2
    let boss = HeadScribe.create(in: maker)
    boss.name = "Ada"
    boss.age = 50
    boss.isActive = true
    for number in 1...3 {
      let clerk = Scribe.create(in: maker)
      clerk.name = ["ann", "bob", "cy"][number - 1]
      clerk.email = number == 1 ? "ann@x.example" : nil
      clerk.age = number * 10
      clerk.height = number == 2 ? nil : 1.5
      clerk.mood = number == 3 ? .angry : .busy
      clerk.formerMood = number == 1 ? .calm : nil
      clerk.isHidden = [true, false, nil][number - 1]
      clerk.photo = number == 1 ? Data() : Data([1])
      clerk.boss = boss
      clerk.bureau = number == 3 ? nil : bureau
    }
    try maker.saveAndWait(toPersistentStore: true)
    self.bureau = bureau.objectID
    context = bench.child()
    // What is unsaved is asked, too.
    let ada = try #require(try Scribe.findFirst(where: \.name == "Ada", in: context))
    ada.name = "ada"
  }

  private func names(_ predicate: Predicate<Scribe>) throws -> [String] {
    try Scribe.findAll(where: predicate, sortedBy: \.name, in: context).map(\.name)
  }

  @Test func `attributes, paths and captured values are compared`() throws {
    let (name, age, limits) = ("bob", 20, [10, 50])
    #expect(try names(#Predicate { $0.name == name }) == ["bob"])
    #expect(try names(#Predicate { $0.name != "bob" && $0.age >= age }) == ["ada", "cy"])
    #expect(try names(#Predicate { !($0.age < 20) || $0.name == "ann" }).count == 4)
    #expect(try names(#Predicate { limits.contains($0.age) }) == ["ada", "ann"])
    #expect(try names(#Predicate { (10...20).contains($0.age) }) == ["ann", "bob"])
    let range = 20..<50
    #expect(try names(#Predicate { range.contains($0.age) }) == ["bob", "cy"])
    #expect(try names(#Predicate { $0.bureau?.name == "Maps" }) == ["ann", "bob"])
    #expect(try names(#Predicate { $0.bureau?.name != "Maps" }) == ["ada", "cy"])
    #expect(try names(#Predicate { $0.boss?.boss?.name == nil }).count == 4)
    #expect(try names(#Predicate { $0.isActive }) == ["ada"])
    #expect(try names(#Predicate { $0.isActive == false }).count == 3)
    #expect(try names(#Predicate { $0.photo == nil }) == ["ada"])
    #expect(try names(#Predicate { $0.photo?.isEmpty == true }) == ["ann"])
  }

  @Test func `enumerations are compared by raw value`() throws {
    let (busy, moods) = (Scribe.Mood.busy, [Scribe.Mood.calm, .angry])
    #expect(try names(#Predicate { $0.mood == busy }) == ["ann", "bob"])
    #expect(try names(#Predicate { moods.contains($0.mood) }) == ["ada", "cy"])
    #expect(try names(#Predicate { $0.formerMood == nil }) == ["ada", "bob", "cy"])
    let former: Scribe.Mood? = .calm
    #expect(try names(#Predicate { $0.formerMood == former }) == ["ann"])
  }

  @Test func `objects are compared by their IDs`() throws {
    let (id, none) = (bureau, nil as ManagedObjectID?)
    #expect(try names(#Predicate { $0.bureau?.objectID == id }) == ["ann", "bob"])
    #expect(try names(#Predicate { $0.bureau?.objectID == none }) == ["ada", "cy"])
    #expect(try names(#Predicate { $0.bureau == nil }) == ["ada", "cy"])
    #expect(try names(#Predicate { $0.bureau != nil && $0.boss != nil }) == ["ann", "bob"])
    let ids = try Scribe.findAll(where: \.age <= 20, in: context).map(\.objectID)
    #expect(try names(#Predicate { ids.contains($0.objectID) }) == ["ann", "bob"])
    #expect(try names(#Predicate { $0.helpers.contains { ids.contains($0.objectID) } }) == ["ada"])
    #expect(try names(#Predicate { $0.boss?.objectID == $0.boss?.boss?.objectID }).count >= 1)
    // Objects of two hierarchies are never the same.
    let error = cauldronError {
      _ = try names(#Predicate { $0.boss?.objectID == $0.bureau?.objectID })
    }
    #expect(error?.code == .queryTypeMismatch)
  }

  @Test func `objects of a relationship are asked together`() throws {
    #expect(try names(#Predicate { $0.helpers.contains { $0.age > 20 } }) == ["ada"])
    #expect(try names(#Predicate { $0.helpers.allSatisfy { $0.age > 20 } }).count == 3)
    #expect(try names(#Predicate { $0.helpers.filter { $0.age > 10 }.count == 2 }) == ["ada"])
    #expect(try names(#Predicate { $0.helpers.filter { $0.age > 99 }.isEmpty }).count == 4)
    #expect(try names(#Predicate { $0.helpers.count == 3 && !$0.helpers.isEmpty }) == ["ada"])
    let sought = #Predicate<Bureau> { bureau in
      bureau.clerks.contains { clerk in clerk.name.starts(with: "b") && clerk.age == 20 }
    }
    #expect(try Bureau.where(sought).count(in: context) == 1)
    let chained = #Predicate<Scribe> { $0.boss?.helpers.contains { $0.name == "cy" } ?? false }
    #expect(try names(chained) == ["ann", "bob", "cy"])
    let wanted = ["ann", "cy"]
    #expect(try names(#Predicate { clerk in wanted.contains { $0 == clerk.name } }) == wanted)
  }

  @Test func `optionals, conditionals and arithmetic mean what they say`() throws {
    #expect(try names(#Predicate { ($0.email ?? "none") == "none" }) == ["ada", "bob", "cy"])
    #expect(try names(#Predicate { $0.isHidden ?? false }) == ["ann"])
    #expect(try names(#Predicate { $0.isHidden ?? true }) == ["ada", "ann", "cy"])
    #expect(try names(#Predicate { $0.isHidden == false }) == ["bob"])
    #expect(try names(#Predicate { $0.email?.contains("x") == true }) == ["ann"])
    #expect(try names(#Predicate { $0.email?.contains("x") != true }) == ["ada", "bob", "cy"])
    #expect(try names(#Predicate { $0.email?.contains("y") == false }) == ["ann"])
    #expect(try names(#Predicate { $0.height! > 1 }) == ["ann", "cy"])
    #expect(try names(#Predicate { ($0.bureau?.floor ?? 0) + 1 > 2 }) == ["ann", "bob"])
    #expect(try names(#Predicate { $0.age % 20 == 10 && $0.age / 10 * 2 > 3 }) == ["ada", "cy"])
    #expect(try names(#Predicate { -$0.age < -20 }) == ["ada", "cy"])
    #expect(try names(#Predicate { ($0.isActive ? $0.age : 0) > 1 }) == ["ada"])
    let branches = #Predicate<Scribe> {
      if let bureau = $0.bureau { bureau.name == "x" } else { $0.age > 40 }
    }
    #expect(try names(branches) == ["ada"])
    let most = [3, 20, 7]
    #expect(try names(#Predicate { $0.age == most.max() ?? 0 }) == ["bob"])
  }

  @Test func `texts are searched`() throws {
    #expect(try names(#Predicate { $0.name.contains("n") }) == ["ann"])
    #expect(try names(#Predicate { $0.name.starts(with: "a") }) == ["ada", "ann"])
    #expect(try names(#Predicate { $0.name.isEmpty }) == [])
    #expect(try names(#Predicate { $0.name.contains(#/^a.a$/#) }) == ["ada"])
    #expect(try names(#Predicate { $0.name.contains(#/n+/#) }) == ["ann"])
  }

  @Test func `queries take predicates`() async throws {
    let young = try Scribe.where(#Predicate { $0.age < 30 }).where(#Predicate { $0.age > 10 })
    #expect(try young.fetch(in: context).map(\.name) == ["bob"])
    let mixed = try Where<Scribe>(#Predicate { $0.age < 30 }) && \.name != "bob"
    #expect(try Scribe.findFirst(where: mixed, in: context)?.name == "ann")
    #expect(try Scribe.where(#Predicate { $0.age < 30 }).count(in: context) == 2)
    #expect("\(mixed.node)" == "age < 30 AND name != \"bob\"")
  }

  @Test func `what no store can be asked is refused with what can`() throws {
    let other = Scribe.Mood.busy
    let refused: [(Predicate<Scribe>, String)] = [
      (#Predicate { $0.title == "x" }, "which is no property of the entity"),
      (#Predicate { $0.name.count > 3 }, "the number of characters of name"),
      (#Predicate { $0 is HeadScribe }, "a test for the type HeadScribe"),
      (#Predicate { ($0 as? HeadScribe)?.level == 1 }, "a cast from Scribe to HeadScribe"),
      (
        #Predicate { clerk in clerk.helpers.contains { $0.age > clerk.age } },
        "an object from outside the closure"
      ),
      (#Predicate { $0.mood.hashValue == 1 || $0.mood == other }, "a property of the value mood"),
    ]
    for (predicate, text) in refused {
      let error = cauldronError { _ = try Where<Scribe>(predicate) }
      #expect(error?.code == .queryUnsupported && error?.entity == "Scribe")
      #expect(error?.description.contains(text) == true, "\(String(describing: error))")
    }
  }
}
