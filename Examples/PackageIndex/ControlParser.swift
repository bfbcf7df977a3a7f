/// Reads the control-file format: stanzas of `Key: value` lines, with blank lines between them and
/// continuation lines that begin with a blank.
///
/// It takes bytes in pieces of any size and keeps no more of them than the line that is not
/// complete. What it cannot understand it skips and reports.
struct ControlParser {
  /// The packages of the stanzas that are complete; the caller takes them.
  var records: [PackageRecord] = []
  /// The malformed lines so far; the caller takes them.
  var malformed: [MalformedLine] = []
  private var lineNumber = 0
  private var partialLine: [UInt8] = []
  private var stanza = Stanza()

  private struct Stanza {
    var record = PackageRecord()
    /// Where it began; nil between stanzas.
    var firstLine: Int?
  }

  /// Reads the next piece of the index.
  mutating func parse(_ piece: UnsafeRawBufferPointer) {
    var rest = piece
    while let end = rest.offset(of: UInt8(ascii: "\n")) {
      parseLine(end: UnsafeRawBufferPointer(rebasing: rest[..<end]))
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
    }
    partialLine.append(contentsOf: rest)
  }

  /// Reads what is left at the end of the index.
  mutating func finish() {
    if !partialLine.isEmpty { parseLine(end: UnsafeRawBufferPointer(start: nil, count: 0)) }
    endStanza()
  }

  /// Reads the line that ends with these bytes and may have begun in an earlier piece.
  private mutating func parseLine(end: UnsafeRawBufferPointer) {
    lineNumber += 1
    if partialLine.isEmpty { return parse(line: end) }
    partialLine.append(contentsOf: end)
    let whole = partialLine
    partialLine.removeAll(keepingCapacity: true)
    whole.withUnsafeBytes { parse(line: $0) }
  }

  private mutating func parse(line: UnsafeRawBufferPointer) {
    guard let first = line.first else { return endStanza() }
    if first.isBlank {
      if line.trimmed.isEmpty { return endStanza() }
      if stanza.firstLine == nil { report("a continuation of nothing; skipped") }
      return
    }
    guard let colon = line.offset(of: UInt8(ascii: ":")),
      case let key = UnsafeRawBufferPointer(rebasing: line[..<colon]), key.isFieldKey
    else {
      return report("neither \"Key: value\" nor a continuation; skipped")
    }
    let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmed
    if let field = Field(key: key) { set(field, value) }
    if stanza.firstLine == nil { stanza.firstLine = lineNumber }
  }

  private mutating func set(_ field: Field, _ value: UnsafeRawBufferPointer) {
    switch field {
    case .package:
      if !stanza.record.name.isEmpty {
        report("a second Package in one stanza; taken as the next one")
        endStanza()
      }
      stanza.record.name = text(value)
    case .version: stanza.record.version = text(value)
    case .architecture: stanza.record.architecture = text(value)
    case .installedSize: stanza.record.installedSize = number(value, "Installed-Size")
    case .size: stanza.record.size = number(value, "Size")
    case .section: stanza.record.section = text(value)
    case .maintainer: stanza.record.maintainer = text(value)
    case .description, .englishDescription: stanza.record.summary = text(value)
    }
  }

  private mutating func endStanza() {
    guard let firstLine = stanza.firstLine else { return }
    if stanza.record.name.isEmpty {
      let reason = "a stanza without Package; skipped"
      malformed.append(MalformedLine(number: firstLine, reason: reason))
    } else {
      records.append(stanza.record)
    }
    stanza = Stanza()
  }

  private mutating func number(_ value: UnsafeRawBufferPointer, _ key: String) -> Int {
    if let number = Int(text(value)), number >= 0 { return number }
    report("\(key) is not a number; skipped")
    return 0
  }

  private mutating func report(_ reason: String) {
    malformed.append(MalformedLine(number: lineNumber, reason: reason))
  }

  private func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
