import CauldronModelClasses
import CauldronModelXML
import Foundation

/// Writes the classes of a model for the build plugin: `CauldronModelCompiler MODEL OUTPUT SOURCE…`.
///
/// Errors and warnings have the form of the Swift compiler's, so that build systems and editors show them at their
/// lines.
@main
struct CauldronModelCompiler {
  static func main() {
    let paths = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
    guard paths.count >= 2 else {
      complain("error: give the model, the file to write, and the sources of the target")
      exit(64)
    }
    do throws(Problem) {
      try compile(paths[0], to: paths[1], besides: Array(paths[2...]))
    } catch {
      complain("\(error.place): error: \(error.reason)")
      exit(1)
    }
  }

  private static func compile(
    _ model: URL, to output: URL, besides sources: [URL]
  ) throws(Problem) {
    let contents = try Self.contents(of: model)
    guard let source = FileManager.default.contents(atPath: contents.path) else {
      throw Problem(place: contents.path, reason: "the model's XML cannot be read")
    }
    let declared = declaredClasses(in: sources)
    let classes: ModelClasses
    do throws(XMLFailure) {
      classes = try ModelClasses(
        source: [UInt8](source),
        head: "The classes of \(model.lastPathComponent), made from it; changes here are lost.",
        declared: declared)
    } catch {
      throw Problem(place: "\(contents.path):\(error.line)", reason: error.reason)
    }
    if let mistake = classes.mistakes.first {
      throw Problem(
        place: "\(mistake.declared.path):\(mistake.declared.line)", reason: mistake.text)
    }
    for remark in classes.remarks {
      complain("\(contents.path):\(remark.line): warning: \(remark.text)")
    }
    try write(classes.text, to: output)
  }

  /// The XML of the version that counts.
  private static func contents(of model: URL) throws(Problem) -> URL {
    let versions = SourceVersions(model)
    if versions.isSource { return model.appending(path: "contents") }
    guard let names = versions.names else {
      throw Problem(place: model.path, reason: "there is no .xcdatamodel in it")
    }
    guard let current = versions.current(among: names) else {
      let mistake = versions.mistake(among: names)
      throw Problem(place: model.path, reason: "\(mistake.reason). \(mistake.remedy)")
    }
    return model.appending(path: current).appending(path: "contents")
  }

  private static func declaredClasses(in sources: [URL]) -> [DeclaredClass] {
    sources.flatMap { source in
      let bytes = FileManager.default.contents(atPath: source.path)
      return bytes.map { DeclaredClass.all(in: [UInt8]($0), of: source.path) } ?? []
    }
  }

  /// A file that is as it was is left alone, so that nothing is compiled again for it.
  private static func write(_ text: String, to output: URL) throws(Problem) {
    let bytes = Data(text.utf8)
    if FileManager.default.contents(atPath: output.path) == bytes { return }
    do {
      try bytes.write(to: output)
    } catch {
      throw Problem(place: output.path, reason: "the file cannot be written")
    }
  }

  private static func complain(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }

  /// What keeps the classes from being written, and where.
  private struct Problem: Error {
    let place: String
    let reason: String
  }
}
