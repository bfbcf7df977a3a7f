import Testing

struct InitializerDiagnosticTests {
  private static let mustBeConvenience =
    "objects of 'Person' are made by their context: an initializer must be 'convenience' and call"
    + " 'self.init(context:)'"
  private static let isInherited =
    "'Person' inherits 'init(context:)', which makes its objects; set values in 'awakeFromInsert()'"
    + " or in an initializer with other parameters"

  @Test(arguments: [
    "convenience init(name: String, context: ManagedObjectContext) { self.init(context: context) }",
    "public convenience init?(context: ManagedObjectContext, name: String) { return nil }",
    "convenience init() { self.init(context: .default) }",
    "required init(_seed seed: _ObjectSeed) { super.init(_seed: seed) }",
    "struct Part { init(name: String) {} }",
  ])
  func `an initializer that leads to those of its own class is accepted`(_ member: String) {
    #expect(expandMembers(member).messages == [])
  }

  @Test func `a designated initializer becomes a convenience one that calls its own class`() {
    let expansion = expandMembers(
      """
      public init(name: String, context: ManagedObjectContext) {
      super.init(context: context)
      }
      """)
    #expect(expansion.messages == ["2:8 \(Self.mustBeConvenience)"])
    #expect(
      expansion.fixedMembers == [
        """
        make the initializer 'convenience' → \
        public convenience init(name: String, context: ManagedObjectContext) {
        self.init(context: context)
        }
        """
      ])
    expectRepaired(expansion)
  }

  @Test func `an initializer that overrides the one without arguments overrides nothing`() {
    let expansion = expandMembers("override init() { super.init() }")
    #expect(expansion.messages == ["2:10 \(Self.mustBeConvenience)"])
    #expect(
      expansion.fixedMembers == [
        "make the initializer 'convenience' → convenience init() { self.init() }"
      ])
    expectRepaired(expansion)
  }

  @Test func `an initializer that only some builds have is looked at, too`() {
    let expansion = expandMembers(
      "#if DEBUG\ninit() {}\n#elseif os(Linux)\ninit(name: String) {}\n#endif")
    #expect(
      expansion.messages == ["3:1 \(Self.mustBeConvenience)", "5:1 \(Self.mustBeConvenience)"])
    expectRepaired(Expansion("@Entity final class Person: ManagedObject { init() {} }"))
  }

  @Test(arguments: [
    "required convenience init(context: ManagedObjectContext)",
    "convenience init(context: LocalContext)", "init(context: NSManagedObjectContext)",
  ])
  func `the initializer that makes objects cannot be written anew`(_ header: String) {
    let expansion = expandMembers("\(header) { self.init(context: context) }")
    #expect(expansion.messages.map { $0.drop { $0 != " " } } == [" \(Self.isInherited)"])
    #expect(expansion.fixed == [])
  }

  @Test func `a class below another entity is told by its own name`() {
    let expansion = Expansion("@Entity final class Dog: Animal { init(name: String) {} }")
    #expect(
      expansion.messages == [
        "1:35 " + Self.mustBeConvenience.replacing("'Person'", with: "'Dog'")
      ])
  }
}
