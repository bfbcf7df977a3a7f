import Testing

struct EntityExpansionTests {
  @Test func `a class gets accessors, indices, a description, key paths and a record`() {
    let expansion = Expansion(
      #"""
      @Entity final class Person: ManagedObject {
        var name: String
        var age: Int = -1 // years
        var token: UUID = UUID()
        var mood: Mood = .calm
        var tags: [String]?
        @Transient var cache: Int? = 4
        @Relationship(inverse: \Company.employees) var employer: Company?
        @Relationship var friends: ToMany<Person>
        var initials: String { "" }
        static let limit = 3
      }
      """#)
    #expect(expansion.messages == [])
    #expect(
      expansion.text == #"""
        final class Person: ManagedObject {
          var name: String {
            get {
              _get(_Properties.name, _Access.self)
            }
            set {
              _set(_Properties.name, newValue, _Access.self)
            }
          }
          var age: Int { // years
            get {
              _get(_Properties.age, _Access.self)
            }
            set {
              _set(_Properties.age, newValue, _Access.self)
            }
          }
          var token: UUID {
            get {
              _get(_Properties.token, _Access.self)
            }
            set {
              _set(_Properties.token, newValue, _Access.self)
            }
          }
          var mood: Mood {
            get {
              _getCustom(_Properties.mood, default: .calm)
            }
            set {
              _setCustom(_Properties.mood, newValue)
            }
          }
          var tags: [String]? {
            get {
              _getCustom(_Properties.tags, default: nil)
            }
            set {
              _setCustom(_Properties.tags, newValue)
            }
          }
          var cache: Int? {
            get {
              _getTransient(_Properties.cache, default: (4 as Int?))
            }
            set {
              _setTransient(_Properties.cache, newValue)
            }
          }
          var employer: Company? {
            get {
              _getToOne(_Properties.employer)
            }
            set {
              _setToOne(_Properties.employer, newValue)
            }
          }
          var friends: ToMany<Person> {
            get {
              _getToMany(_Properties.friends)
            }
            set {
              _setToMany(_Properties.friends, newValue)
            }
          }
          var initials: String { "" }
          static let limit = 3

          enum _Properties {
            static var name: Int {
              0
            }
            static var age: Int {
              1
            }
            static var token: Int {
              2
            }
            static var mood: Int {
              3
            }
            static var tags: Int {
              4
            }
            static var cache: Int {
              5
            }
            static var employer: Int {
              6
            }
            static var friends: Int {
              7
            }
            static var _count: Int {
              8
            }
            static func _keyPaths<Root: Person>(_ root: Root.Type) -> [AnyKeyPath: Int] {
              var table: [AnyKeyPath: Int] = [:]
              table[\Root.name] = Self.name
              table[\Root.age] = Self.age
              table[\Root.token] = Self.token
              table[\Root.mood] = Self.mood
              table[\Root.tags] = Self.tags
              table[\Root.cache] = Self.cache
              table[\Root.employer] = Self.employer
              table[\Root.friends] = Self.friends
              return table
            }
          }

          override class var _entityName: String {
            "Person"
          }

          override class func _describeEntity() -> EntityDescription {
            EntityDescription(
              name: "Person", superentity: nil, isAbstract: false,
              properties: [
                ._attribute("name", String.self),
                ._attribute("age", Int.self, default: .constant((-1 as Int).scalar)),
                ._attribute("token", UUID.self, default: .computed {
                    (UUID() as UUID).scalar
                  }),
                ._customAttribute("mood", _CustomType(Mood.self), default: .calm),
                ._customAttribute("tags", _CustomType(optional: [String].self)),
                ._transientAttribute("cache"),
                ._relationship("employer", destination: Company.self, inverse: "employees", isToMany: false, deleteRule: .nullify),
                ._relationship("friends", destination: Person.self, isToMany: true, deleteRule: .nullify),
              ],
              managedObjectClass: ObjectClass(Person.self))
          }

          override class func _keyPathTable() -> [AnyKeyPath: Int] {
            _Properties._keyPaths(Person.self)
          }

          override class func _transientDefault(_ index: Int) -> Any? {
            switch index {
              case _Properties.cache:
              return (4 as Int?)
              default:
              return super._transientDefault(index)
            }
          }

          override class var _hooks: _ObjectHooks {
            []
          }

          @section("cauldron_entities") @used
          private static let _entityRecord: @convention(c) () -> UInt = {
            UInt(bitPattern: ObjectIdentifier(Person.self))
          }
        }

        nonisolated extension Person: ManagedEntity {
        }
        """#)
  }

  @Test func `an open subclass counts on from its superclass`() {
    let expansion = Expansion(
      #"""
      @Entity("Hound", isAbstract: true) open class Dog: Animal {
        @Attribute(type: .integer16, versionHashModifier: "2") public var `default`: Int?
      }
      """#, isKnownEntity: true)
    #expect(expansion.messages == [])
    #expect(
      expansion.text == #"""
        open class Dog: Animal {
          public var `default`: Int? {
            get {
              _get(_Properties.`default`, _Access.self)
            }
            set {
              _set(_Properties.`default`, newValue, _Access.self)
            }
          }

          public enum _Properties {
            @inlinable public static var _base: Int {
              Animal._Properties._count
            }
            @inlinable public static var `default`: Int {
              _base + 0
            }
            @inlinable public static var _count: Int {
              _base + 1
            }
            public static func _keyPaths<Root: Dog>(_ root: Root.Type) -> [AnyKeyPath: Int] {
              var table: [AnyKeyPath: Int] = Animal._Properties._keyPaths(root)
              table[\Root.`default`] = Self.`default`
              return table
            }
          }

          open override class var _entityName: String {
            "Hound"
          }

          open override class func _describeEntity() -> EntityDescription {
            EntityDescription(
              name: "Hound", superentity: Animal._superentityName, isAbstract: true,
              properties: [
                ._attribute("default", Int?.self, type: .integer16, versionHashModifier: "2"),
              ],
              managedObjectClass: ObjectClass(Dog.self))._inheriting(Animal._describeEntity())
          }

          open override class func _keyPathTable() -> [AnyKeyPath: Int] {
            _Properties._keyPaths(Dog.self)
          }

          @section("cauldron_entities") @used
          private static let _entityRecord: @convention(c) () -> UInt = {
            UInt(bitPattern: ObjectIdentifier(Dog.self))
          }
        }
        """#)
  }

  @Test func `an entity without properties changes nothing of what it inherits`() {
    let expansion = Expansion(
      #"""
      @Entity package final class Cat: Animal {}
      """#, isKnownEntity: true)
    #expect(expansion.messages == [])
    #expect(
      expansion.text == #"""
        package final class Cat: Animal {

          package enum _Properties {
            package static var _base: Int {
              Animal._Properties._count
            }
            package static var _count: Int {
              _base + 0
            }
            package static func _keyPaths<Root: Cat>(_ root: Root.Type) -> [AnyKeyPath: Int] {
              Animal._Properties._keyPaths(root)
            }
          }

          package override class var _entityName: String {
            "Cat"
          }

          package override class func _describeEntity() -> EntityDescription {
            EntityDescription(
              name: "Cat", superentity: Animal._superentityName, isAbstract: false,
              properties: [],
              managedObjectClass: ObjectClass(Cat.self))._inheriting(Animal._describeEntity())
          }

          package override class func _keyPathTable() -> [AnyKeyPath: Int] {
            _Properties._keyPaths(Cat.self)
          }

          @section("cauldron_entities") @used
          private static let _entityRecord: @convention(c) () -> UInt = {
            UInt(bitPattern: ObjectIdentifier(Cat.self))
          }
        }
        """#)
  }

  @Test func `an entity below a plain class conforms by itself`() {
    let expansion = Expansion("@Entity final class Cat: Named {}")
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("superentity: Named._superentityName"))
    #expect(expansion.text.hasSuffix("nonisolated extension Cat: ManagedEntity {\n}"))
  }

  @Test func `what the model is told beside the type goes along`() {
    let expansion = expandMembers(
      """
      @Attribute(.indexed, isOptional: true) var count: Int
      @Attribute(isOptional: false) var mood: Mood?
      """)
    #expect(expansion.messages == [])
    #expect(expansion.text.contains("._attribute(\"count\", Int.self, isOptional: true)"))
    #expect(expansion.text.contains("_CustomType(optional: Mood.self), isOptional: false)"))
  }

  @Test func `what only models say stands behind a description, and a base class has no record`() {
    let expansion = Expansion(
      #"""
      @Entity(isBase: true, versionHashModifier: "2", userInfo: ["a": "b"])
      class _Note: ManagedObject {
        @Attribute(originalName: "name", userInfo: ["c": "d"]) var title: String
        @Relationship(isOptional: false, versionHashModifier: "3") var tags: ToMany<Tag>
        @Attribute(transformer: "T", isOptional: false) var color: Color?
      }
      """#)
    #expect(expansion.messages == [])
    #expect(
      expansion.text.contains(
        #"_modelled(versionHashModifier: "2", userInfo: ["a": "b"])._asBase()"#))
    #expect(expansion.text.contains(#"._original("name")._modelled(userInfo: ["c": "d"])"#))
    #expect(
      expansion.text.contains(#"._modelled(isOptional: false, versionHashModifier: "3")"#))
    #expect(expansion.text.contains(#"transformer: "T", isOptional: false)"#))
    #expect(!expansion.text.contains("cauldron_entities"))
  }
}
