import ArgumentParser
import Cauldron

@main struct PackageIndex: AsyncParsableCommand {
  func run() async throws {}
}
