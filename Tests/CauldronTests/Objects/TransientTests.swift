import Cauldron
import CauldronModel
import Foundation
import TestSupport
import Testing

/// A transient property shows the same, whoever asks.
@Suite(.againstHanging, .ownThread) struct TransientTests {
  @Entity class Lamp: ManagedObject {
    var name: String = ""
    @Transient var colour: String = "white"
    @Transient var hours: Int? = 4
    @Transient var owner: String?
    @Transient var mood: Mood = .calm
  }

  @Entity final class Torch: Lamp {
    @Transient var range: Double = 1.5
  }

  enum Mood { case calm, wild }

  private func torch() throws -> (Bench, Torch) {
    let bench = try Bench(.memory, model: ManagedObjectModel(Lamp.self, Torch.self))
    return (bench, Torch.create(in: bench.child()))
  }

  @Test func `a transient property that was never set prints as its default`() throws {
    let context = try Creature.bench(.memory).child()
    let cat = Creature.named("cat", in: context)
    #expect(cat.mark == "none")
    #expect("\(cat)".contains("mark: \"none\""))
    cat.mark = "none"
    #expect("\(cat)".contains("mark: \"none\""))
  }

  @Test func `defaults of all types are printed, those of a superclass, too`() throws {
    let (bench, torch) = try torch()
    defer { withExtendedLifetime(bench) {} }
    let line = "\(torch)"
    for part in ["colour: \"white\"", "hours: 4", "owner: nil", "mood: Mood", "range: 1.5"] {
      #expect(line.contains(part), "\(line)")
    }
    (torch.hours, torch.owner, torch.range) = (nil, "me", 2)
    let changed = "\(torch)"
    for part in ["hours: nil", "owner: \"me\"", "range: 2.0"] {
      #expect(changed.contains(part), "\(changed)")
    }
  }

  @Test func `what a transient property begins with is its value by name, too`() throws {
    let (bench, torch) = try torch()
    defer { withExtendedLifetime(bench) {} }
    #expect(torch.value(forKey: "colour") as? String == torch.colour)
    #expect(torch.value(forKey: "hours") as? Int == torch.hours)
    #expect(torch.primitiveValue(forKey: "range") as? Double == torch.range)
    #expect(torch.value(forKey: "owner") == nil)
    try torch.setValue("red", forKey: "colour")
    #expect(torch.value(forKey: "colour") as? String == "red" && torch.colour == "red")
    try torch.setValue(nil, forKey: "colour")
    #expect(torch.value(forKey: "colour") as? String == torch.colour)
  }
}
