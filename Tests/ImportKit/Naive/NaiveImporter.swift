import CauldronImport
import CauldronModel

/// Imports records one after the other into dictionaries, each in a copy of everything that is thrown
/// away where something is wrong.
struct NaiveImporter: Sendable {
  let rules: NaiveRules
  /// Of the records.
  let plan: NaivePlan
  var world: World
  var report = NaiveReport()
  /// What was saved last.
  private(set) var saved: World
  private(set) var hasStopped = false

  /// Keys of records that can be read.
  private var announced: Set<KeyName> = []
  var refused: Set<KeyName> = []
  /// Objects that are nothing but a key, and may have a record of their own.
  var stubs: [Int: KeyName] = [:]
  var links: [PendingLink] = []
  /// Those whose object is there now.
  var waited: [PendingLink] = []
  /// The targets of what listed some that are not there yet.
  var lists: [[Int?]] = []
  /// The lists to which something has come that was not there.
  var grown: Set<Int> = []
  /// When all of a list had been read; none where it is being read.
  var read: [Int: Int] = [:]
  /// Since when a relationship says something else.
  var lapsed: [LinkPlace: Int] = [:]
  var serial = 0
  var removed: [Removed] = []
  /// By which ways back records have led to objects.
  var linked: Set<LinkPlace> = []
  /// Objects that have records of their own.
  private var own: Set<Int> = []
  // Of the record at hand.
  var record = 0
  var wrongs: Set<Wrong> = []

  struct KeyName: Hashable, Sendable {
    let root: String
    let attributes: [String]
    let values: [AttributeScalar]
  }

  struct LinkPlace: Hashable, Sendable {
    let owner: Int
    let relationship: String
  }

  struct Removed: Hashable, Sendable {
    let id: Int
    let inverse: String
  }

  init(_ entity: String, _ world: World, _ options: ImportOptions) {
    rules = NaiveRules(shape: world.shape, options: options)
    plan = rules.plan(entity)
    self.world = world
    saved = world
  }

  /// Imports records that come in chunks of a size.
  mutating func run(_ records: [Node], _ size: Int, isAlone: Bool) {
    for (number, node) in records.enumerated() where number >= rules.options.skipping {
      var reader = NaiveReader(rules)
      let draft = reader.draft(node, plan, "")
      if reader.wrongs.isEmpty, let draft { announce(draft) }
    }
    let open = Array(records.enumerated().dropFirst(rules.options.skipping))
    for start in stride(from: 0, to: open.count, by: size) {
      for (number, node) in open[start..<min(start + size, open.count)] {
        take(node, number, isAlone ? "" : "/\(number)")
        if hasStopped { return }
      }
      guard let every = rules.options.commitEvery, report.records - report.committed >= every
      else { continue }
      report.committed = report.records
      saved = world
    }
    finish()
    report.committed = report.records
    saved = world
  }

  private mutating func announce(_ draft: NaiveDraft) {
    if let name = name(draft.plan, draft.key) { announced.insert(name) }
    let root = world.shape.root(draft.plan.entity)
    for value in draft.values where value.scalar != .null {
      announced.insert(
        KeyName(root: root, attributes: [value.attribute.name], values: [value.scalar]))
    }
    let together = world.shape.together(draft.plan.entity)
    let said = together.compactMap { name in
      draft.values.first { $0.attribute.name == name && $0.scalar != .null }?.scalar
    }
    if !together.isEmpty, said.count == together.count {
      announced.insert(KeyName(root: root, attributes: together, values: said))
    }
    for case .draft(let child) in draft.links.flatMap({ $0.children ?? [] }) { announce(child) }
  }

  func name(_ plan: NaivePlan, _ values: [AttributeScalar]) -> KeyName? {
    guard let key = plan.key, values.count == key.count else { return nil }
    return KeyName(root: world.shape.root(plan.entity), attributes: key, values: values)
  }

  func isAnnounced(_ name: KeyName?) -> Bool { name.map(announced.contains) ?? false }

  private mutating func take(_ node: Node, _ number: Int, _ pointer: String) {
    record = number
    report.records += 1
    var reader = NaiveReader(rules)
    let draft = reader.draft(node, plan, pointer)
    var trial = self
    trial.wrongs = reader.wrongs
    if reader.wrongs.isEmpty, let draft {
      var seen: Set<KeyName> = []
      trial.look(at: draft, &seen)
      if let id = trial.apply(draft, isOwn: true) { trial.own.insert(id) }
      if trial.world.hasTwins {
        trial.wrongs.insert(Wrong(pointer: pointer, code: .saveConstraint))
      }
    }
    if trial.wrongs.isEmpty {
      self = trial
      return
    }
    report.problems.append(.init(record: number, wrongs: trial.wrongs, isRefused: true))
    var keys = NaiveReader(rules)
    if case .object = node, let name = name(plan, keys.key(node, plan, pointer)) {
      refused.insert(name)
    }
    hasStopped = rules.options.stopsAtFirst
  }

  private mutating func finish() {
    leaveOutStubs()
    for link in links where link.stub == nil && !isLapsed(link) {
      let isRefused = link.name.map(refused.contains) ?? false
      leaveOut(link, isRefused ? .importRefused : .importUnknown)
    }
    let orphans = Set(removed).filter { removed in
      guard let object = world.objects[removed.id], !own.contains(removed.id) else { return false }
      return world.shape.relationships(object.entity).allSatisfy { way in
        let matters =
          way.name == removed.inverse
          || linked.contains(LinkPlace(owner: removed.id, relationship: way.name))
        return !matters || world.targets(removed.id, way).isEmpty
      }
    }
    for id in Set(orphans.map(\.id)) {
      world.remove(id)
      report.deleted += 1
    }
  }

  private mutating func leaveOut(_ link: PendingLink, _ code: CauldronError.Code) {
    report.problems.append(
      .init(
        record: link.record, wrongs: [Wrong(pointer: link.pointer, code: code)], isRefused: false))
  }

  /// Objects that stand for refused records go, and what they have replaced comes back.
  private mutating func leaveOutStubs() {
    let gone = stubs.filter { refused.contains($0.value) }
    let concerned = links.filter { link in link.stub.map { gone[$0] != nil } ?? false }
    var former: [(PendingLink, Int)] = []
    for link in concerned where !isLapsed(link) {
      leaveOut(link, .importRefused)
      guard let stub = link.stub, !link.relationship.isToMany,
        world.targets(link.owner, link.relationship) == [stub],
        let before = self.former(link, gone)
      else { continue }
      former.append((link, before))
    }
    for id in gone.keys {
      if let entity = world.objects[id]?.entity { report.related[entity, default: [0, 0]][0] -= 1 }
      world.remove(id)
    }
    for (link, id) in former {
      guard let entity = world.objects[id]?.entity,
        let inverse = world.shape.relationship(link.relationship.inverse, entity)
      else { continue }
      if inverse.isToMany || world.targets(id, inverse).isEmpty {
        world.link(link.owner, link.relationship, id)
      }
    }
  }

  /// What a relationship led to before it led to an object that goes.
  private func former(_ link: PendingLink, _ gone: [Int: KeyName]) -> Int? {
    guard let id = link.former, gone[id] != nil else { return link.former }
    let before = links.last {
      $0.owner == link.owner && $0.relationship.name == link.relationship.name && $0.stub == id
        && $0.serial < link.serial
    }
    return before.flatMap { former($0, gone) }
  }
}
