import Foundation
import PackagePlugin

/// Makes the classes of each Core Data model in a target's folder part of the target.
@main
struct CauldronModelPlugin: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let compiler = try context.tool(named: "CauldronModelCompiler").url
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url)
    return models(in: target.directoryURL).map { model in
      let name = model.deletingPathExtension().lastPathComponent
      let output = context.pluginWorkDirectoryURL.appending(path: "\(name).entities.swift")
      return .buildCommand(
        displayName: "Writing the classes of \(model.lastPathComponent)", executable: compiler,
        arguments: [model.path, output.path] + sources.map(\.path),
        inputFiles: [model] + files(in: model) + sources, outputFiles: [output])
    }
  }

  /// The models in a folder, and in those below it; the versions of a model are no models of their own.
  private func models(in folder: URL) -> [URL] {
    entries(of: folder).filter { !$0.lastPathComponent.hasPrefix(".") }.flatMap { url -> [URL] in
      switch url.pathExtension {
      case "xcdatamodeld", "xcdatamodel": [url]
      default: url.hasDirectoryPath ? models(in: url) : []
      }
    }
  }

  /// All that the classes may change with.
  private func files(in folder: URL) -> [URL] {
    entries(of: folder).flatMap { $0.hasDirectoryPath ? files(in: $0) : [$0] }
  }

  private func entries(of folder: URL) -> [URL] {
    let all = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    return (all ?? []).sorted { $0.path < $1.path }
  }
}
