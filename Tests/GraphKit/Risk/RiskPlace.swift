import Cauldron
package import CauldronGraph
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
  let isFile: Bool
  /// The mended defects that are put back, in debug builds.
  package var planted: Set<PlantedDefect> = []

  package init(_ number: UInt64) {
    let layouts: [StackLayout] = [.writerRoot, .mainParent, .siblings, .writerRoot]
    layout = layouts[Int(number % 4)]
    let bits = ((number / 4) &* 0x9E37_79B9_7F4A_7C15) >> 32
    merging = Set(RiskPlace.allCases.enumerated().filter { bits >> $0.0 & 1 == 1 }.map(\.1))
    comparesCounts = bits >> 16 & 3 == 1
    comparesObjects = bits >> 16 & 3 == 2
    isFile = bits >> 9 & 7 == 0
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
  private let folder: URL?

  init(_ setup: RiskSetup) throws {
    var folder: URL?
    if setup.isFile {
      let url = FileManager.default.temporaryDirectory
        .appending(path: "risk-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      folder = url
    }
    self.folder = folder
    var configuration = StackConfiguration()
    configuration.layout = setup.layout
    configuration.mainQueue = DispatchQueue(label: "risk main")
    configuration.synchronous = .normal
    configuration.slowFetch = nil
    configuration.logger = Logger(label: "risk") { _ in SwiftLogNoOpLogHandler() }
    stack = try Stack(
      storeURL: folder?.appending(path: "store.sqlite"), model: RiskKind.model(),
      configuration: configuration)
    #if DEBUG
      stack.coordinator.planted.withLock { $0 = setup.planted }
    #endif
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
