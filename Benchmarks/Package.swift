// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let cauldron = Target.Dependency.product(name: "Cauldron", package: "Cauldron")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let package = Package(
  name: "CauldronBenchmarks",
  dependencies: [
    // Named, so that the folder of the clone may be called anything.
    .package(name: "Cauldron", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    // Without its trait it needs jemalloc.
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    // Named unlike the library's own and GRDB's, which the same program links.
    .systemLibrary(
      name: "SystemSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // The table of the README: ours, the C API and GRDB side by side.
    .executableTarget(
      name: "Compare",
      dependencies: [
        cauldron, logging, "SystemSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // Single operations, for `swift package benchmark`.
    .executableTarget(
      name: "Micro",
      dependencies: [cauldron, logging, .product(name: "Benchmark", package: "benchmark")],
      path: "Benchmarks/Micro",
      swiftSettings: settings,
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)
