/// A row of the table, or several that are measured together.
struct Contest {
  let name: String
  /// Whether it runs on the main queue; otherwise the main queue is free to do its part.
  var onMain = true
  /// Whether the main queue has to keep to the main thread, which is slower for what waits for it.
  var ownsMainThread = false
  let run: (Settings) throws -> [Outcome]

  /// A contest of one row, which carries the same name.
  init(
    _ name: String, onMain: Bool = true, ownsMainThread: Bool = false, operations: Int = 1,
    base: String? = nil, targets: [Target] = [], note: String? = nil,
    lanes: @escaping (Settings) throws -> [Lane<Contender>]
  ) {
    self.name = name
    self.onMain = onMain
    self.ownsMainThread = ownsMainThread
    run = { settings in
      let stats = try alternate(settings.chosen(try lanes(settings)), settings)
      return [
        Outcome(
          name: name, operations: operations, stats: stats, base: base, targets: targets,
          note: note)
      ]
    }
  }

  init(
    _ name: String, onMain: Bool = true, ownsMainThread: Bool = false,
    run: @escaping (Settings) throws -> [Outcome]
  ) {
    self.name = name
    self.onMain = onMain
    self.ownsMainThread = ownsMainThread
    self.run = run
  }

  /// Every contest, in the order of the table.
  static func all(_ settings: Settings) -> [Contest] {
    [
      inserts(settings), chains(settings), fetches(settings), handovers(settings),
      pointReads(settings), queries(settings), changes(settings), relations(settings),
      walks(settings), imports(settings), saves(settings),
      pendings(settings),
      properties(settings), [confinement(settings)], contexts(settings), memories(settings),
      proportions(settings), doubts(settings), stalls(settings), migrations(settings),
      lists(settings),
    ].flatMap { $0 }
  }
}
