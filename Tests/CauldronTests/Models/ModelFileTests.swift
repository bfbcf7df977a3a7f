import Cauldron
import Foundation
import Logging
import TestSupport
import Testing

/// An entity with values of several kinds.
@Entity final class WrittenNote: ManagedObject {
  @Attribute(.unique) var title: String = "New"
  @Attribute(.range(0...5)) var rank: Int16 = 3
  var made: Date = .now
  var id: UUID?
  @Relationship(inverse: \WrittenFolder.notes) var folder: WrittenFolder?
}

/// Its owner.
@Entity final class WrittenFolder: ManagedObject {
  var name: String?
  @Relationship(deleteRule: .cascade) var notes: OrderedToMany<WrittenNote>
}

private enum WrittenModel {
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(WrittenNote.self, WrittenFolder.self)
  }
}

/// Models from files and stores, and what a program without classes does with them.
@Suite(.againstHanging, .ownThread) struct ModelFileTests {
  private func file(_ name: String, _ text: String) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let url = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url
  }

  private static let notes = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note">
            <attribute name="title" attributeType="String" defaultValueString="New"/>
        </entity>
    </model>
    """

  private static func current(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>_XCCurrentVersionName</key><string>\(name)</string>
    </dict></plist>
    """
  }

  @Test func `objects of a model without classes are used by name`() throws {
    let url = try file("Notes.xcdatamodeld/Notes.xcdatamodel/contents", Self.notes)
    let source = url.deletingLastPathComponent()
    for place in [url, source, source.deletingLastPathComponent()] {
      let model = try ManagedObjectModel(contentsOf: place)
      let bench = try Bench(.memory, model: model)
      let context = bench.committed()
      let note = try context.insertNewObject(forEntityName: "Note")
      #expect(note.value(forKey: "title") as? String == "New")
      try note.setValue("Shopping", forKey: "title")
      try context.save()
      let all = try bench.committed().fetch(FetchRequest<ManagedObject>(entityName: "Note"))
      #expect(all.map { $0.value(forKey: "title") as? String } == ["Shopping"])
    }
  }

  @Test func `the version counts that a directory names`() throws {
    let first = try file("Notes.xcdatamodeld/Notes.xcdatamodel/contents", Self.notes)
    let folder = first.deletingLastPathComponent().deletingLastPathComponent()
    let second = folder.appending(path: "Notes 2.xcdatamodel")
    try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
    let renamed = Self.notes.replacing("name=\"Note\"", with: "name=\"Memo\"")
    try Data(renamed.utf8).write(to: second.appending(path: "contents"))
    let current = folder.appending(path: ".xccurrentversion")
    for (text, reason) in [
      ("", "names no version. Have it name one of Notes 2.xcdatamodel, Notes.xcdatamodel."),
      (
        Self.current("Notes 3.xcdatamodel"),
        "names Notes 3.xcdatamodel, which is not there. There is Notes 2.xcdatamodel, Notes.xcdatamodel."
      ),
    ] {
      try Data(text.utf8).write(to: current)
      let error = #expect(throws: CauldronError.self) {
        try ManagedObjectModel(contentsOf: folder)
      }
      #expect(error?.description.contains("its .xccurrentversion \(reason)") == true)
    }
    for (name, entity) in [("Notes.xcdatamodel", "Note"), ("Notes 2.xcdatamodel", "Memo")] {
      try Data(Self.current(name).utf8).write(to: current)
      let model = try ManagedObjectModel(contentsOf: folder)
      #expect(model.entities.map(\.name) == [entity] && model.name == "Notes")
    }
  }

  @Test(arguments: [
    ("<model>\n<entity/></model>", "line 2: <entity> has no name."),
    (
      "<model><entity name=\"A\">\n<attribute name=\"b\" composite=\"C\"/></entity></model>",
      "line 2: the model has no composite C."
    ),
    (
      "<model><entity name=\"A\"><attribute name=\"b\" composite=\"C\"/></entity>\n<composite name=\"C\">\n"
        + "<attribute name=\"d\" composite=\"C\"/></composite></model>",
      "line 3: the composite C has an element of its own kind."
    ),
    ("<plist/>", "line 1: the first element is <plist>, and not <model>."),
    ("<!-- a model -->", "line 1: there is no element."),
    ("model Note {}", "it is no compiled model, and no store."),
    ("", "it is no compiled model, and no store."),
  ])
  func `a file that is no model is refused in one line`(
    _ text: String, _ reason: String
  ) throws {
    let url = try file("contents", text)
    let error = #expect(throws: CauldronError.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.code == .modelInvalid)
    #expect(
      error?.description.contains("Cannot read a model from \"\(url.path)\": \(reason)") == true)
  }

  @Test func `an entity with what is not understood is there, and makes no store`() throws {
    let url = try file(
      "contents",
      "<model><entity name=\"A\"><attribute name=\"b\" attributeType=\"Vector\"/></entity></model>")
    let model = try ManagedObjectModel(contentsOf: url)
    #expect(model.entities.map(\.name) == ["A"])
    let error = #expect(throws: CauldronError.self) { try Bench(.file, model: model) }
    #expect(error?.code == .storeUnsupported)
    #expect(error?.description.contains("A has a property that is not understood") == true)
  }

  private static let places = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Place">
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="spot" optional="YES" composite="Spot"/>
            <attribute name="cell" optional="YES" transient="YES"/>
            <relationship name="nearest" optional="YES" transient="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Place"/>
        </entity>
        <entity name="Town" parentEntity="Place">
            <attribute name="people" attributeType="Integer 64" defaultValueString="0"/>
        </entity>
        <composite name="Spot">
            <attribute name="frame" optional="YES" composite="Frame"/>
            <attribute name="latitude" optional="YES" attributeType="Double"/>
        </composite>
        <composite name="Frame">
            <attribute name="width" attributeType="Integer 16" defaultValueString="7"/>
        </composite>
    </model>
    """

  @Test func `elements of a composite attribute are set, found and sorted by name`() throws {
    let model = try ManagedObjectModel(contentsOf: try file("contents", Self.places))
    let bench = try Bench(.file, model: model)
    let context = bench.committed()
    for (index, entity) in ["Place", "Town", "Town"].enumerated() {
      let place = try context.insertNewObject(forEntityName: entity)
      try place.setValue("p\(index)", forKey: "name")
      #expect(place.value(forKey: "spot.frame.width") as? Int16 == 7)
      try place.setValue(
        ["latitude": Double(50 - index), "frame": ["width": index]], forKey: "spot")
    }
    try context.save()
    var request = FetchRequest<ManagedObject>(entityName: "Place")
    request.predicate = try PredicateNode(format: "spot.latitude < 50 AND spot.frame.width >= 1")
    request.sortKeys = [SortKey("spot.latitude")]
    let found = try bench.committed().fetch(request)
    #expect(found.map { $0.value(forKey: "name") as? String } == ["p2", "p1"])
    let spot = try #require(found[0].value(forKey: "spot") as? [String: Any])
    #expect(spot["latitude"] as? Double == 48)
    #expect((spot["frame"] as? [String: Any])?["width"] as? Int16 == 2)
    try found[0].setValue(48.5, forKey: "spot.latitude")
    #expect(found[0].value(forKey: "spot.latitude") as? Double == 48.5)
    #expect(throws: CauldronError.self) { try found[0].setValue(["height": 1], forKey: "spot") }
    #expect(throws: CauldronError.self) { try found[0].setValue(3, forKey: "spot") }
  }

  @Test func `a dictionary is set as a whole or not at all`() throws {
    let model = try ManagedObjectModel(contentsOf: try file("contents", Self.places))
    let place = try Bench(.memory, model: model).committed().insertNewObject(
      forEntityName: "Place")
    try place.setValue(["latitude": 1.0, "frame": ["width": 2]], forKey: "spot")
    for wrong: [String: Any] in [
      ["latitude": 5.0, "frame": ["width": "wide"]], ["latitude": 5.0, "frame": 3],
      ["latitude": 5.0, "height": 1],
    ] {
      #expect(throws: CauldronError.self) { try place.setValue(wrong, forKey: "spot") }
      #expect(place.value(forKey: "spot.latitude") as? Double == 1)
    }
    try place.setPrimitiveValue(["latitude": 2.0], forKey: "spot")
    #expect((place.primitiveValue(forKey: "spot") as? [String: Any])?["latitude"] as? Double == 2)
    #expect(place.value(forKey: "spot.latitude") as? Double == 2)
    try place.setValue(NSNull(), forKey: "spot")
    #expect(place.value(forKey: "spot") == nil)
    #expect(!"\(place)".contains("spot:"))
    let error = #expect(throws: CauldronError.self) { try place.setValue(3, forKey: "spot") }
    #expect(error?.message == "Place.spot is Composite; it cannot be set to an Int.")
    var request = FetchRequest<ManagedObject>(entityName: "Place")
    request.predicate = try PredicateNode(format: "spot == nil")
    let asked = #expect(throws: CauldronError.self) {
      try Bench(.memory, model: model).committed().fetch(request)
    }
    #expect(asked?.description.contains("is composite") == true)
    #expect(throws: CauldronError.self) { try place.setValue(3, forKey: "nearest") }
  }

  @Test func `an element that is renamed keeps its values`() throws {
    let bench = try Bench(
      .file, model: ManagedObjectModel(contentsOf: try file("contents", Self.places)))
    let context = bench.committed()
    try context.insertNewObject(forEntityName: "Town").setValue(
      ["latitude": 48.5, "frame": ["width": 9]], forKey: "spot")
    try context.save()
    let renamed = Self.places
      .replacing(
        "<attribute name=\"latitude\"", with: "<attribute name=\"lat\" elementID=\"latitude\""
      )
      .replacing(
        "<attribute name=\"spot\" optional=\"YES\"",
        with: "<attribute name=\"at\" elementID=\"spot\" optional=\"YES\"")
    let again = try bench.reopened(
      with: ManagedObjectModel(contentsOf: try file("contents", renamed)))
    let town = try again.committed().fetch(FetchRequest<ManagedObject>(entityName: "Town"))[0]
    #expect(town.value(forKey: "at.lat") as? Double == 48.5)
    #expect(town.value(forKey: "at.frame.width") as? Int16 == 9)
    let third = try again.reopened(
      with: ManagedObjectModel(contentsOf: #require(again.stack.coordinator.storeURL)))
    #expect(third.stack.model.properties(ofEntityNamed: "Town").map(\.name).contains("at.lat"))
  }

  @Test func `short files that stand for very much are refused at once`() throws {
    func composites(_ count: Int, _ body: (Int) -> String) -> String {
      "<model><entity name=\"A\"><attribute name=\"a\" composite=\"C0\"/></entity>"
        + (0..<count).map { "<composite name=\"C\($0)\">\(body($0))</composite>" }.joined()
        + "<composite name=\"C\(count)\"><attribute name=\"x\" attributeType=\"Date\"/></composite></model>"
    }
    let chain = composites(300) { "<attribute name=\"a\" composite=\"C\($0 + 1)\"/>" }
    let wide = composites(30) {
      "<attribute name=\"a\" composite=\"C\($0 + 1)\"/><attribute name=\"b\" composite=\"C\($0 + 1)\"/>"
    }
    let many =
      "<model>"
      + (0..<22).map { "<entity name=\"E\($0)\"><attribute name=\"a\" composite=\"C\"/></entity>" }
      .joined()
      + "<composite name=\"C\">"
      + (0..<1_000).map { "<attribute name=\"x\($0)\" attributeType=\"Date\"/>" }.joined()
      + "</composite></model>"
    for (text, words) in [
      (chain, "more than 8 composites"), (wide, "more than 8 composites"),
      (many, "more than 20000 elements"),
    ] {
      let clock = ContinuousClock.now
      let error = #expect(throws: CauldronError.self) {
        try ManagedObjectModel(contentsOf: try file("contents", text))
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(clock.duration(to: .now) < .seconds(20))
    }
  }

  @Test func `names like those of elements, and elements with points in their names, are refused`()
    throws
  {
    for text in [
      Self.places.replacing(
        "<attribute name=\"name\"",
        with: "<attribute name=\"spot.height\" attributeType=\"Date\"/><attribute name=\"name\""),
      Self.places.replacing("name=\"latitude\"", with: "name=\"lati.tude\""),
    ] {
      let error = #expect(throws: CauldronError.self) {
        try ManagedObjectModel(contentsOf: try file("contents", text))
      }
      #expect(error?.code == .modelInvalid)
    }
  }

  @Test func `a composite attribute that becomes required is another version`() throws {
    let text = Self.places.replacing(
      "name=\"latitude\" optional=\"YES\"", with: "name=\"latitude\"")
    let required = text.replacing("name=\"spot\" optional=\"YES\"", with: "name=\"spot\"")
    let models = try [text, required].map {
      try ManagedObjectModel(contentsOf: try file("contents", $0))
    }
    #expect(models[0].entityVersionHashesByName != models[1].entityVersionHashesByName)
  }

  @Test func `what is written into a directory of versions is what is read`() throws {
    let folder = try file("Notes.xcdatamodeld/Old.xcdatamodel/contents", Self.notes)
      .deletingLastPathComponent().deletingLastPathComponent()
    try WrittenModel.make().write(to: folder)
    #expect(try ManagedObjectModel(contentsOf: folder).entities.count == 2)
    for name in ["New.xcdatamodel", "Other.xcdatamodel"] {
      let url = folder.appending(path: name)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(Self.notes.utf8).write(to: url.appending(path: "contents"))
    }
    #expect(throws: CauldronError.self) { try WrittenModel.make().write(to: folder) }
    try Data(Self.current("New.xcdatamodel").utf8).write(
      to: folder.appending(path: ".xccurrentversion"))
    try WrittenModel.make().write(to: folder)
    #expect(try ManagedObjectModel(contentsOf: folder).entities.count == 2)
    let other = try ManagedObjectModel(contentsOf: folder.appending(path: "Other.xcdatamodel"))
    #expect(other.entities.count == 1)
  }

  @Test func `a store is not migrated to what is not understood or not computed`() throws {
    let bench = try Bench(
      .file, model: ManagedObjectModel(contentsOf: try file("contents", Self.notes)))
    for more in [
      "<attribute name=\"x\" optional=\"YES\" attributeType=\"Vector\"/><attribute name=\"y\" optional=\"YES\" attributeType=\"Date\"/>",
      "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"sqrt:(title)\"/>",
    ] {
      let text = Self.notes.replacing(
        "<attribute name=\"title\"", with: "\(more)<attribute name=\"title\"")
      let model = try ManagedObjectModel(contentsOf: try file("contents", text))
      #expect(model.incompleteEntities == (more.contains("Vector") ? ["Note"] : []))
      let error = #expect(throws: CauldronError.self) { try bench.reopened(with: model) }
      // An entity that is not whole has no hash to compare: its columns tell.
      let words = more.contains("Vector") ? "has no column ZY" : "Cannot migrate store"
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  @Test func `a path of a fetched property goes through a composite attribute`() throws {
    let text = Self.places.replacing(
      "<relationship name=\"nearest\"",
      with: """
        <fetchedProperty name="alike" optional="YES"><fetchRequest name="f" entity="Place" \
        predicateString="spot.latitude == $FETCH_SOURCE.spot.latitude"/></fetchedProperty><relationship name="nearest"
        """)
    let context = try Bench(
      .memory, model: ManagedObjectModel(contentsOf: try file("contents", text))
    ).committed()
    let places = try (0..<3).map { index in
      let place = try context.insertNewObject(forEntityName: "Place")
      try place.setValue(Double(index / 2), forKey: "spot.latitude")
      return place
    }
    #expect(places.map { ($0.value(forKey: "alike") as? [ManagedObject])?.count } == [2, 2, 1])
  }

  @Test func `what has no type, and transient relationships, keep what they are set to`() throws {
    let model = try ManagedObjectModel(contentsOf: try file("contents", Self.places))
    let bench = try Bench(.file, model: model)
    let context = bench.committed()
    let (a, b) = (
      try context.insertNewObject(forEntityName: "Town"),
      try context.insertNewObject(forEntityName: "Place")
    )
    try a.setValue([1, 2, 3], forKey: "cell")
    try a.setValue(b, forKey: "nearest")
    try context.save()
    #expect(a.value(forKey: "cell") as? [Int] == [1, 2, 3])
    #expect(a.value(forKey: "nearest") as? ManagedObject === b)
    #expect(b.value(forKey: "cell") == nil && b.value(forKey: "nearest") == nil)
  }

  @Test(arguments: ["Places.xcdatamodel", "Places.mom"])
  func `composite, undefined and transient properties are written and read`(
    _ name: String
  ) throws {
    let source = try file("contents", Self.places)
    let model = try ManagedObjectModel(contentsOf: source)
    let url = source.deletingLastPathComponent().appending(path: name)
    try model.write(to: url)
    let again = try ManagedObjectModel(contentsOf: url)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    let (before, after) = (model.entities, again.entities)
    #expect("\(after)" == "\(before)")
  }

  @Test func `a model that was read from XML is written as it was, byte for byte`() throws {
    let odd = Self.places.replacing(
      "<entity name=\"Place\">",
      with: "<entity name=\"Place\" codeGenerationType=\"none\" colour=\"red\">"
    ).replacing("<composite name=\"Spot\">", with: "<composite name=\"Spot\" colour=\"blue\">")
    let source = try file("contents", odd)
    let url = source.deletingLastPathComponent().appending(path: "Places.xcdatamodel")
    try ManagedObjectModel(contentsOf: source).write(to: url)
    #expect(try Data(contentsOf: url.appending(path: "contents")) == Data(odd.utf8))
  }

  @Test func `a required to-many relationship may be empty, unless there is a least number`() throws
  {
    func text(_ counts: String) -> String {
      """
      <model><entity name="Firm">
      <relationship name="staff" toMany="YES" \(counts) destinationEntity="Worker" inverseName="firm"/>
      </entity><entity name="Worker">
      <relationship name="firm" optional="YES" maxCount="1" destinationEntity="Firm" inverseName="staff"/>
      </entity></model>
      """
    }
    for (counts, isAllowed) in [("", true), ("minCount=\"1\"", false)] {
      let model = try ManagedObjectModel(contentsOf: try file("contents", text(counts)))
      let context = try Bench(.memory, model: model).committed()
      _ = try context.insertNewObject(forEntityName: "Firm")
      if isAllowed {
        try context.save()
      } else {
        let error = #expect(throws: CauldronError.self) { try context.save() }
        #expect(error?.code == .validationTooFew)
      }
    }
  }

  @Test func `an inverse may lead to the only concrete entity below`() throws {
    let text = """
      <model><entity name="Owner">
      <relationship name="thing" optional="YES" maxCount="1" destinationEntity="Car" inverseName="owner"/>
      </entity><entity name="Thing" isAbstract="YES">
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="thing"/>
      </entity><entity name="Car" parentEntity="Thing"/></model>
      """
    let model = try ManagedObjectModel(contentsOf: try file("contents", text))
    let bench = try Bench(.file, model: model)
    let context = bench.committed()
    let (owner, car) = (
      try context.insertNewObject(forEntityName: "Owner"),
      try context.insertNewObject(forEntityName: "Car")
    )
    try car.setValue(owner, forKey: "owner")
    #expect(owner.value(forKey: "thing") as? ManagedObject === car)
    try context.save()
    let again = try bench.committed().fetch(FetchRequest<ManagedObject>(entityName: "Owner"))
    #expect((again[0].value(forKey: "thing") as? ManagedObject)?.objectID == car.objectID)
    let wide = text.replacing(
      "<entity name=\"Car\"",
      with: "<entity name=\"Boat\" parentEntity=\"Thing\"/><entity name=\"Car\"")
    #expect(throws: CauldronError.self) {
      try ManagedObjectModel(contentsOf: try file("contents", wide))
    }
  }

  @Test func `a store that cannot be made leaves no file`() throws {
    let text =
      "<model><entity name=\"A\"><attribute name=\"b\" attributeType=\"Vector\"/></entity></model>"
    let model = try ManagedObjectModel(contentsOf: try file("contents", text))
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    #expect(throws: CauldronError.self) { try Stack(storeURL: url, model: model) }
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test func `a model without what a composite attribute has migrates to one that has it`() throws {
    let old = Self.places.replacing(
      "<attribute name=\"spot\" optional=\"YES\" composite=\"Spot\"/>", with: "")
    let bench = try Bench(.file, model: ManagedObjectModel(contentsOf: try file("contents", old)))
    let context = bench.committed()
    try context.insertNewObject(forEntityName: "Town").setValue("kept", forKey: "name")
    try context.save()
    let again = try bench.reopened(
      with: ManagedObjectModel(contentsOf: try file("contents", Self.places)))
    let all = try again.committed().fetch(FetchRequest<ManagedObject>(entityName: "Place"))
    #expect(all.map { $0.value(forKey: "name") as? String } == ["kept"])
    #expect(all[0].value(forKey: "spot.frame.width") as? Int16 == 7)
  }

  @Test(arguments: ["Notes.xcdatamodel", "Notes.xcdatamodeld", "Notes.mom"])
  func `a model of classes is written, and read without them`(_ name: String) throws {
    let model = try WrittenModel.make()
    let url = try file("x", "").deletingLastPathComponent().appending(path: "new/\(name)")
    try model.write(to: url)
    let again = try ManagedObjectModel(contentsOf: url)
    #expect(again.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(again.name == "Notes")
    try model.write(to: url)
    #expect(try ManagedObjectModel(contentsOf: url).entities.count == 2)
  }

  @Test func `a place that is none of a model is refused`() throws {
    let model = try WrittenModel.make()
    let file = try file("x", "")
    let ending = #expect(throws: CauldronError.self) { try model.write(to: file) }
    #expect(ending?.description.contains("its name has none of a model's endings.") == true)
    let below = file.appending(path: "Notes.xcdatamodel")
    let error = #expect(throws: CauldronError.self) { try model.write(to: below) }
    #expect(error?.description.contains("it cannot be written") == true)
  }

  @Test func `an object of an abstract entity is refused`() throws {
    let url = try file(
      "contents", "<model><entity name=\"Base\" isAbstract=\"YES\"/><entity name=\"Note\"/></model>"
    )
    let model = try ManagedObjectModel(contentsOf: url)
    let context = try Bench(.memory, model: model).committed()
    let error = #expect(throws: CauldronError.self) {
      try context.insertNewObject(forEntityName: "Base")
    }
    #expect(error?.code == .modelInvalid && error?.entity == "Base")
    #expect(throws: CauldronError.self) { try context.insertNewObject(forEntityName: "Bass") }
  }

  @Test func `what is no file, or is too long, is refused`() throws {
    let pipe = try file("x", "").deletingLastPathComponent().appending(path: "pipe.mom")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let error = #expect(throws: CauldronError.self) { try ManagedObjectModel(contentsOf: pipe) }
    #expect(error?.description.contains("pipe.mom is no file.") == true)
    let long = try file("contents", "<!--" + String(repeating: " ", count: 17 << 20) + "-->")
    let tooLong = #expect(throws: CauldronError.self) { try ManagedObjectModel(contentsOf: long) }
    #expect(tooLong?.description.contains("contents is longer than 16 MB.") == true)
  }

  @Test func `inherited properties are described with an entity's own`() throws {
    let url = try file(
      "contents",
      "<model><entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\" optional=\"YES\"/></entity>"
        + "<entity name=\"B\" parentEntity=\"A\"><attribute name=\"y\" attributeType=\"Date\"/></entity></model>"
    )
    let model = try ManagedObjectModel(contentsOf: url)
    #expect(model.properties(ofEntityNamed: "B").map(\.name) == ["x", "y"])
    #expect(model.properties(ofEntityNamed: "C").isEmpty)
  }

  @Test func `a directory without a model in it is refused`() throws {
    let folder = try file("Old.xcdatamodel/elements", "").deletingLastPathComponent()
    let error = #expect(throws: CauldronError.self) { try ManagedObjectModel(contentsOf: folder) }
    #expect(error?.description.contains("it has no contents in XML. Save it with Xcode") == true)
  }

  private static let stores = [
    "Bookmarks/Bookmarks_V1.sqlite", "Bookmarks/Bookmarks_V5.sqlite",
    "CareKit/SampleStore2.0.sqlite",
    "CoreDataPlus/SampleModel/Fixtures/SampleModel_V1.sqlite",
    "CoreDataPlus/SampleModel/Fixtures/SampleModel_V2.sqlite", "LoopKit/Model.v1.sqlite",
    "Moody/Moody.moody", "Moody/Moody 5.moody",
  ]

  @Test(
    .enabled(if: Fixtures.exists("Bookmarks"), Fixtures.skip("Bookmarks")), arguments: stores)
  func `a store of an application is read and edited by its own model`(_ path: String) async throws
  {
    let fixture = try #require(Fixtures.url(path))
    let copy = try file("Store.sqlite", "")
    for suffix in ["", "-wal"] where Fixtures.exists(path + suffix) {
      let place = URL(filePath: copy.path + suffix)
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: URL(filePath: fixture.path + suffix), to: place)
    }
    let model = try ManagedObjectModel(contentsOf: copy)
    var configuration = StackConfiguration()
    configuration.logger.logLevel = .error
    let stack = try Stack(storeURL: copy, model: model, configuration: configuration)
    let before = try await stack.verify()
    let edited = try await AnyStore(model).edit(stack)
    #expect(edited > 0)
    #expect(try await stack.verify().map(\.description) == before.map(\.description))
    try stack.close()
  }
}

/// Edits a store of which nothing is known but its model.
private struct AnyStore: Sendable {
  private let model: ManagedObjectModel

  init(_ model: ManagedObjectModel) { self.model = model }

  /// Reads every value of every object, and edits a text of one object for each entity.
  /// - Returns: How many objects were edited.
  func edit(_ stack: Stack) async throws -> Int {
    let context = ManagedObjectContext.contextWithParent(stack.rootSavingContext)
    let edited = try await context.perform { context in
      var edited = 0
      for entity in model.entities {
        let objects = try context.fetch(FetchRequest<ManagedObject>(entityName: entity.name))
        for object in objects {
          for property in entity.properties { _ = object.value(forKey: property.name) }
        }
        guard let object = objects.first, let text = text(of: entity) else { continue }
        try object.setValue("edited \(entity.name)", forKey: text)
        edited += 1
      }
      return edited
    }
    try await context.save(toPersistentStore: true)
    return edited
  }

  /// A text that may be anything.
  private func text(of entity: EntityDescription) -> String? {
    for case .attribute(let attribute) in entity.properties
    where attribute.type == .string && !attribute.isTransient
      && !entity.uniquenessConstraints.joined().contains(attribute.name)
    {
      return attribute.name
    }
    return nil
  }
}
