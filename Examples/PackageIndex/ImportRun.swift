import Dispatch

/// What an import did and how long it took.
struct ImportFigures: Sendable {
  var packages = 0
  var malformed = 0
  /// Seconds for reading and parsing, for creating objects, for saving them, and for all of it.
  var reading = 0.0
  var creating = 0.0
  var saving = 0.0
  var total = 0.0
  /// The longest time in milliseconds that the main queue was kept from its work.
  var longestStall = 0.0
}

/// One import: reads the index piece by piece and hands it to the importer in batches.
struct ImportRun {
  var figures = ImportFigures()
  private let input: InputFile
  private let batchSize: Int
  private var parser = ControlParser()
  private var importer = Importer()
  private var progress: ImportProgress
  private var bytes = 0

  init(_ input: InputFile, batchSize: Int) {
    self.input = input
    self.batchSize = batchSize
    progress = ImportProgress(size: input.size)
  }

  mutating func importAll() async throws {
    defer { progress.finish() }
    let began = DispatchTime.now()
    while try readPiece() {
      while parser.records.count >= batchSize { try await importBatch() }
    }
    while !parser.records.isEmpty { try await importBatch() }
    figures.total = began.secondsAgo
    figures.creating = importer.creating
    figures.saving = importer.saving
  }

  /// Reads and parses the next piece; false at the end.
  private mutating func readPiece() throws -> Bool {
    let began = DispatchTime.now()
    let piece = try input.next()
    bytes += piece.count
    if piece.isEmpty { parser.finish() } else { parser.parse(piece) }
    figures.reading += began.secondsAgo
    for line in parser.malformed { report(line) }
    parser.malformed.removeAll()
    return !piece.isEmpty
  }

  private mutating func importBatch() async throws {
    let batch = Array(parser.records.prefix(batchSize))
    parser.records.removeFirst(batch.count)
    try await importer.add(batch)
    figures.packages += batch.count
    progress.show(bytes: bytes, packages: figures.packages)
  }

  /// Shows the first malformed lines and counts all.
  private mutating func report(_ line: MalformedLine) {
    figures.malformed += 1
    if figures.malformed <= 10 { progress.note("line \(line.number): \(line.reason)") }
    if figures.malformed == 11 { progress.note("further malformed lines are only counted") }
  }
}

extension DispatchTime {
  /// The seconds since then.
  var secondsAgo: Double {
    Double(DispatchTime.now().uptimeNanoseconds - uptimeNanoseconds) / 1_000_000_000
  }
}
