import Foundation

/// The figures as JSON, null where one does not apply.
enum FigureFile {
  static func encode(_ outcomes: [Outcome]) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes]
    return try encoder.encode(outcomes.map(Figures.init))
  }

  private struct Figures: Encodable {
    let outcome: Outcome

    enum CodingKeys: String, CodingKey {
      case name
      case ours = "ours_ms"
      case raw = "raw_ms"
      case grdb = "grdb_ms"
      case codable = "grdb_codable_ms"
      case base = "base_ms"
      case baseName = "base"
      case ratioRaw = "ratio_raw"
      case ratioGRDB = "ratio_grdb"
      case ratioCodable = "ratio_grdb_codable"
      case ratioBase = "ratio_base"
      case cached = "grdb_cached_ms"
      case ratioCached = "ratio_grdb_cached"
      case main = "main_ms"
      case stall = "longest_stall_ms"
      case oursCPU = "ours_cpu_ms"
      case rawCPU = "raw_cpu_ms"
      case baseCPU = "base_cpu_ms"
      case ratioCPU = "ratio_cpu"
      case operations
      case bytes = "bytes_per_object"
      case peak = "peak_rss_mb"
      case met
      case note
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(outcome.name, forKey: .name)
      try container.encode(outcome.wall(.ours), forKey: .ours)
      try container.encode(outcome.wall(.raw), forKey: .raw)
      try container.encode(outcome.wall(.grdb), forKey: .grdb)
      try container.encode(outcome.wall(.codable), forKey: .codable)
      try container.encode(outcome.wall(.base), forKey: .base)
      try container.encode(outcome.base, forKey: .baseName)
      try container.encode(outcome.ratio(to: .raw), forKey: .ratioRaw)
      try container.encode(outcome.ratio(to: .grdb), forKey: .ratioGRDB)
      try container.encode(outcome.ratio(to: .codable), forKey: .ratioCodable)
      try container.encode(outcome.ratio(to: .base), forKey: .ratioBase)
      try container.encode(outcome.wall(.cached), forKey: .cached)
      try container.encode(outcome.ratio(to: .cached), forKey: .ratioCached)
      try container.encode(outcome.stats[.ours]?.main, forKey: .main)
      try container.encode(outcome.stats[.ours]?.stall, forKey: .stall)
      try container.encode(outcome.stats[.ours]?.cpu, forKey: .oursCPU)
      try container.encode(outcome.stats[.raw]?.cpu, forKey: .rawCPU)
      try container.encode(outcome.stats[.base]?.cpu, forKey: .baseCPU)
      try container.encode(outcome.processorRatio, forKey: .ratioCPU)
      try container.encode(outcome.operations, forKey: .operations)
      try container.encode(outcome.bytes, forKey: .bytes)
      try container.encode(outcome.peakRSS, forKey: .peak)
      try container.encode(outcome.targets.map { $0.isMet(outcome) }, forKey: .met)
      try container.encode(outcome.note, forKey: .note)
    }
  }
}
