import Testing

/// Which hooks a class overrides is seen by the macro.
@Suite struct HookTests {
  @Test(arguments: [
    ("override func validate(_ value: Any?, for property: String) throws {}", ".validation"),
    ("override func validateForDelete() throws {}", ".validation"),
    ("func validateForm() {}", ""), ("", ""), ("func willSave(_ now: Bool) {}", ""),
    (
      "override func willSave() {}\noverride func awakeFromInsert() {}",
      ".awakeFromInsert, .willSave"
    ),
    ("override func didSave() {}", ".didSave"),
    ("override func prepareForDeletion() {}", ".prepareForDeletion"),
    ("override func didTurnIntoFault() {}", ".turnIntoFault"),
    ("override func willTurnIntoFault() {}", ".turnIntoFault"),
    (
      "override func awakeFromSnapshotEvents(_ f: SnapshotEventType) {}", ".awakeFromSnapshotEvents"
    ),
    ("#if DEBUG\n  override func willSave() {}\n  #endif", ".willSave"),
  ])
  func `a class says which hooks it overrides`(member: String, hooks: String) {
    #expect(
      expandMembers(member).text.contains(
        "override class var _hooks: _ObjectHooks {\n    [\(hooks)]\n  }"))
  }

  @Test func `what a superclass overrides is inherited`() {
    let boss = Expansion("@Entity final class Boss: Person {\noverride func willSave() {}\n}")
    #expect(boss.text.contains("super._hooks.union([.willSave])"))
    let plain = Expansion("@Entity final class Boss: Person {\n}")
    #expect(!plain.text.contains("_hooks"))
  }

  @Test(arguments: [("", false), ("override func awakeFromFetch() {}", true)])
  func `a class that awakes has accessors of its own`(member: String, awakes: Bool) {
    #expect(expandMembers(member).text.contains("typealias _Access = _AwakingAccess") == awakes)
  }
}
