import Cauldron
package import CauldronLedger
import CauldronModel
import Dispatch
import Foundation
import Logging

/// A context of a risky run.
enum RiskPlace: String, CaseIterable {
  case root, main, editor, second, sibling
}

/// What a risky run is made of besides its operations; all of it follows from one number.
package struct RiskSetup: Sendable {
  let layout: StackLayout
  /// The contexts that merge by themselves.
  let merging: Set<RiskPlace>
  /// Whether counts, or fetched objects, are compared with rows, too: where one of them differs the run
  /// ends, and what it would have met otherwise is not met.
  let comparesCounts: Bool
  let comparesObjects: Bool
  /// Whether the sets of changed objects are compared, too.
  let comparesSets: Bool
  /// Whether lists ride along.
  let hasLists: Bool
  let isFile: Bool
  /// Whether the run ends with saves that nothing waits for, instead of saves and a look at each.
  let closes: Bool
  /// Whether all contexts hand on what they have first, so that the root alone has it when the run ends.
  let handsOn: Bool
  /// The mended defects that are put back, in debug builds.
  package var planted: Set<PlantedDefect> = []

  package init(_ number: UInt64) {
    let layouts: [StackLayout] = [.writerRoot, .mainParent, .siblings, .writerRoot]
    layout = layouts[Int(number % 4)]
    let bits = ((number / 4) &* 0x9E37_79B9_7F4A_7C15) >> 32
    merging = Set(RiskPlace.allCases.enumerated().filter { bits >> $0.0 & 1 == 1 }.map(\.1))
    comparesCounts = bits >> 16 & 1 == 1
    comparesObjects = bits >> 17 & 1 == 1
    comparesSets = bits >> 16 & 3 == 3
    hasLists = bits >> 18 & 3 == 1
    isFile = bits >> 9 & 7 == 0
    closes = isFile && bits >> 20 & 1 == 1
    handsOn = closes && bits >> 22 & 1 == 1
  }

  var places: [RiskPlace] {
    layout == .writerRoot ? RiskPlace.allCases : [.main, .editor, .second, .sibling]
  }

  /// - Returns: Nil for a context on the store.
  func parent(of place: RiskPlace) -> RiskPlace? {
    switch place {
    case .root: nil
    case .main: layout == .writerRoot ? .root : nil
    case .editor, .second: .main
    case .sibling: layout == .writerRoot ? .root : layout == .siblings ? nil : .main
    }
  }

  func chain(_ place: RiskPlace) -> [RiskPlace] {
    [place] + (parent(of: place).map(chain) ?? [])
  }

  func children(of place: RiskPlace) -> [RiskPlace] { places.filter { parent(of: $0) == place } }
}

/// The stack of a risky run, in memory or in a directory that goes away with it.
final class RiskStage {
  let stack: Stack
  let mainQueue = DispatchQueue(label: "risk main")
  private let folder: URL?
  private let log = RiskLog()

  var url: URL? { folder?.appending(path: "store.sqlite") }
  /// What the stack has warned of.
  var warnings: [String] { log.lines.withLock { $0 } }
  var tellsWarnings: Bool { stack.coordinator.logger.logLevel <= .warning }

  init(_ setup: RiskSetup) throws {
    var folder: URL?
    if setup.isFile {
      let url = FileManager.default.temporaryDirectory
        .appending(path: "risk-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      folder = url
    }
    self.folder = folder
    stack = try Self.stack(folder, setup, mainQueue, log)
    #if DEBUG
      stack.coordinator.planted.withLock { $0 = setup.planted }
    #endif
  }

  private static func stack(
    _ folder: URL?, _ setup: RiskSetup, _ queue: DispatchQueue, _ log: RiskLog
  ) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.layout = setup.layout
    configuration.mainQueue = queue
    configuration.synchronous = .normal
    // A save is refused by a file that is held for longer than that.
    configuration.busyTimeout = 0.02
    configuration.slowFetch = nil
    configuration.logger = Logger(label: "risk") { _ in RiskLog.Handler(log: log) }
    return try Stack(
      storeURL: folder?.appending(path: "store.sqlite"), model: RiskKind.model(),
      configuration: configuration)
  }

  /// The rows of the file, once the stack is closed, as another one finds them.
  func reopened(_ setup: RiskSetup, _ kinds: [RiskKind]) throws -> [Int: RiskRow] {
    let queue = DispatchQueue(label: "risk again")
    let again = try Self.stack(folder, setup, queue, RiskLog())
    defer { try? again.close() }
    return try again.rootSavingContext.performAndWait { local in
      let rows = try kinds.flatMap { try $0.rows(in: local.context) }
      return Dictionary(rows.map { ($0.number, $0.row) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The name by which messages call a context.
  func name(_ place: RiskPlace) -> String {
    switch place {
    case .root: "Root Saving Context"
    case .main: "Default Context"
    default: place.rawValue
    }
  }

  deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

  func context(_ place: RiskPlace, _ setup: RiskSetup) -> ManagedObjectContext {
    switch place {
    case .root: stack.rootSavingContext
    case .main: stack.defaultContext
    case .editor, .second: child(place, of: stack.defaultContext)
    case .sibling:
      switch setup.layout {
      case .writerRoot: child(place, of: stack.rootSavingContext)
      case .siblings:
        ManagedObjectContext(.private, coordinator: stack.coordinator, name: "sibling")
      default: child(place, of: stack.defaultContext)
      }
    }
  }

  private func child(
    _ place: RiskPlace, of parent: ManagedObjectContext
  ) -> ManagedObjectContext {
    ManagedObjectContext(.private, parent: parent, name: place.rawValue)
  }
}

/// Keeps the warnings of a stack.
private final class RiskLog: Sendable {
  let lines = Locked<[String]>([])

  struct Handler: LogHandler {
    let log: RiskLog
    var logLevel = Logger.Level.warning
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.lines.withLock { $0.append("\(event.message)") } }
  }
}
