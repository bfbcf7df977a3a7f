// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let syntax: [Target.Dependency] = [
  .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
  .product(name: "SwiftDiagnostics", package: "swift-syntax"),
  .product(name: "SwiftParser", package: "swift-syntax"),
  .product(name: "SwiftSyntax", package: "swift-syntax"),
  .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
  .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
]

let package = Package(
  name: "Cauldron",
  products: [
    .library(name: "Cauldron", targets: ["Cauldron"]),
    .library(name: "CauldronTesting", targets: ["CauldronTesting"]),
    .library(name: "CauldronMagicalRecord", targets: ["CauldronMagicalRecord"]),
    .executable(name: "cauldron", targets: ["CauldronProgram"]),
    .plugin(name: "CauldronModelPlugin", targets: ["CauldronModelPlugin"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.0"),
    // The HTTP server of LiveBoard, an example: a program that uses the library does not fetch it.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // The library, from the ground up. An arrow of the architecture is a dependency here.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CCauldron"),
    .target(name: "CauldronModel", dependencies: ["CCauldron"]),
    // Conditions and queries: tree, format, binding, evaluation, text.
    .target(name: "CauldronQuery", dependencies: ["CauldronModel", "CCauldron"]),
    // The contract that every store keeps, and the store in memory.
    .target(name: "CauldronStore", dependencies: ["CauldronModel", "CauldronQuery"]),
    // Lists as values, whose elements are rows: what a query that stays right keeps its result in.
    .target(name: "CauldronList", dependencies: ["CauldronModel", "CauldronQuery"]),
    // What contexts have changed and no store has written yet: layers, push, commit, cache, snapshots.
    .target(
      name: "CauldronLedger",
      dependencies: ["CauldronModel", "CauldronQuery", "CauldronStore", "CCauldron", logging]),
    // Live objects and the contexts that they are in: edits, relationships, fetches.
    .target(
      name: "CauldronGraph",
      dependencies: [
        "CauldronArchive", "CauldronLedger", "CauldronModel", "CauldronQuery", "CauldronStore",
        "CCauldron", logging,
      ]),
    // What a context does with its changes: saves them, takes them back, and makes many at once.
    .target(
      name: "CauldronSave",
      dependencies: [
        "CauldronGraph", "CauldronLedger", "CauldronModel", "CauldronQuery", "CauldronStore",
        "CCauldron", logging,
      ]),
    // Lists and values that stay right, and the controllers that tell of their changes.
    .target(
      name: "CauldronLive",
      dependencies: [
        "CauldronGraph", "CauldronLedger", "CauldronList", "CauldronModel", "CauldronQuery",
        "CauldronStore", logging,
      ]),
    // The XML of models that Xcode edits; like what is made of it for programs, it imports nothing of
    // ours, because the build plugin compiles both a second time.
    .target(name: "CauldronModelXML"),
    // The classes of a model as source, for the plugin and for `cauldron model generate`.
    .target(name: "CauldronModelClasses", dependencies: ["CauldronModelXML"]),
    .executableTarget(
      name: "CauldronModelCompiler", dependencies: ["CauldronModelClasses", "CauldronModelXML"]),
    .plugin(
      name: "CauldronModelPlugin", capability: .buildTool(),
      dependencies: ["CauldronModelCompiler"], path: "Sources/CauldronModelPlugin"),
    // Property lists, keyed archives, and the values in them.
    .target(name: "CauldronArchive", dependencies: ["CauldronModel"]),

    // Models as Core Data keeps them, in files and in stores.
    .target(
      name: "CauldronModelFile",
      dependencies: ["CauldronArchive", "CauldronModel", "CauldronModelXML"]),
    // Imports: records in, objects out, and back.
    .target(
      name: "CauldronImport",
      dependencies: [
        "CauldronGraph", "CauldronLedger", "CauldronModel", "CauldronQuery", "CauldronSave",
        "CauldronStore", logging,
      ]),
    .target(
      name: "CauldronSQLite",
      dependencies: [
        "CauldronArchive", "CauldronModel", "CauldronQuery", "CauldronStore", "CauldronModelFile",
        "CauldronModelXML", "CCauldron", "CSQLite",
      ]),
    .macro(name: "CauldronMacros", dependencies: syntax),
    .target(
      name: "Cauldron",
      dependencies: [
        "CauldronArchive", "CauldronGraph", "CauldronImport", "CauldronLedger", "CauldronList",
        "CauldronLive", "CauldronModel", "CauldronQuery", "CauldronSave", "CauldronStore",
        "CauldronSQLite",
        "CauldronMacros", "CCauldron", logging,
      ]),

    // MagicalRecord's calls by their old names, each of which tells the new one.
    .target(name: "CauldronMagicalRecord", dependencies: ["Cauldron", logging]),

    // For the tests of programs; it alone needs Testing.
    .target(name: "CauldronTesting", dependencies: ["Cauldron"]),

    // The tool; the program itself is one line, so that tests can call the rest.
    .target(
      name: "CauldronTool",
      dependencies: [
        "CauldronArchive", "CauldronModel", "CauldronModelClasses", "CauldronModelXML",
        "CauldronQuery", "CauldronStore",
        "CauldronSQLite", arguments,
      ]),
    .executableTarget(name: "CauldronProgram", dependencies: ["CauldronTool", arguments]),

    // Programs.
    .executableTarget(
      name: "QuickStart", dependencies: ["Cauldron"], path: "Examples/QuickStart"),
    .executableTarget(
      name: "PackageIndex", dependencies: ["Cauldron", arguments, logging],
      path: "Examples/PackageIndex"),
    .executableTarget(
      name: "TwoLayers", dependencies: ["Cauldron", logging], path: "Examples/TwoLayers"),
    .executableTarget(
      name: "ThreeLayers", dependencies: ["Cauldron", logging],
      path: "Examples/ThreeLayers"),
    .executableTarget(
      name: "TeamList", dependencies: ["Cauldron", logging], path: "Examples/TeamList"),
    .executableTarget(
      name: "ImportOperation", dependencies: ["Cauldron", logging],
      path: "Examples/ImportOperation"),
    .executableTarget(
      name: "ContextPerThread", dependencies: ["Cauldron", logging],
      path: "Examples/ContextPerThread"),
    .executableTarget(
      name: "StackComparison", dependencies: ["Cauldron", logging],
      path: "Examples/StackComparison"),
    .executableTarget(
      name: "TaskBoard", dependencies: ["Cauldron", logging], path: "Examples/TaskBoard"),
    .executableTarget(
      name: "DayTwo", dependencies: ["Cauldron", logging], path: "Examples/DayTwo"),
    .executableTarget(
      name: "ForeignLoop", dependencies: ["Cauldron", logging], path: "Examples/ForeignLoop"),
    .executableTarget(
      name: "PortedApp", dependencies: ["Cauldron", logging], path: "Examples/PortedApp"),
    .executableTarget(
      name: "ImportJSON", dependencies: ["Cauldron", logging], path: "Examples/ImportJSON"),
    .executableTarget(
      name: "LiveBoard",
      dependencies: [
        "Cauldron", arguments, logging, .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      path: "Examples/LiveBoard", resources: [.embedInCode("Board.html")]),
    .executableTarget(
      name: "soak",
      dependencies: [
        "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronModel", "CauldronQuery",
        "CauldronStore",
        "CauldronSQLite", "CauldronTool", "CFaults", "CSQLite",
        "FormatKit", "GraphKit", "ImportKit", "ListKit", "MigrationKit", "QueryKit", arguments,
        logging,
      ],
      path: "Soak", exclude: ["CFaults"]),
    // Process-wide, so that only a program of its own may use it.
    .target(name: "CFaults", dependencies: ["CSQLite"], path: "Soak/CFaults"),

    // Tests.
    .target(name: "CTestSupport", path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport",
      dependencies: ["CTestSupport", "CauldronModel", "CauldronQuery", "CauldronStore"],
      path: "Tests/TestSupport"),
    // Random operations and the dictionaries that they are compared with; `soak` runs them, too, so
    // that it must not depend on Testing.
    .target(
      name: "GraphKit",
      dependencies: [
        "CSQLite", "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronModel", logging,
      ],
      path: "Tests/GraphKit"),
    // Random operations with lists in all contexts, and copies of these; `soak` runs them, too.
    .target(
      name: "ListKit",
      dependencies: [
        "CSQLite", "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronList", "CauldronModel",
        logging,
      ],
      path: "Tests/ListKit"),
    // Random changes of models, with what they mean for data; `soak` runs them, too.
    .target(
      name: "MigrationKit",
      dependencies: ["CSQLite", "Cauldron", "CauldronModel", "CauldronStore", logging],
      path: "Tests/MigrationKit"),
    // Format strings that are good, bad and random; `soak` reads more of them.
    .target(
      name: "FormatKit", dependencies: ["CauldronModel", "CauldronQuery"], path: "Tests/FormatKit"),
    // Random queries of random models, and what they mean; `soak` runs them, too.
    .target(
      name: "QueryKit",
      dependencies: [
        "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronModel", "CauldronQuery",
        "CauldronStore",
        "CauldronSQLite", logging,
      ],
      path: "Tests/QueryKit"),
    // Random imports into random models, and what they mean; `soak` runs them, too.
    .target(
      name: "ImportKit",
      dependencies: [
        "Cauldron", "CauldronGraph", "CauldronImport", "CauldronLedger", "CauldronModel", logging,
      ],
      path: "Tests/ImportKit"),
    .testTarget(
      name: "CauldronModelFileTests",
      dependencies: [
        "CSQLite", "CauldronArchive", "CauldronModel", "CauldronModelFile", "CauldronModelXML",
        "TestSupport",
      ]),
    .testTarget(
      name: "CauldronImportTests",
      dependencies: [
        "CSQLite", "Cauldron", "CauldronGraph", "CauldronImport", "CauldronLedger", "CauldronModel",
        "ImportKit",
        "TestSupport",
      ]),
    .testTarget(name: "CauldronListTests", dependencies: ["CauldronList", "TestSupport"]),
    .testTarget(
      name: "CauldronModelTests",
      dependencies: ["CauldronModel", "CauldronQuery", "CauldronStore", "FormatKit", "TestSupport"]),
    .testTarget(
      name: "CauldronMacrosTests",
      dependencies: [
        "CauldronMacros", "CauldronModelClasses", "CauldronModelXML",
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
      ] + syntax),
    .testTarget(
      name: "CauldronSQLiteTests",
      dependencies: [
        "CauldronArchive", "CauldronModel", "CauldronQuery", "CauldronStore", "CauldronSQLite",
        "CSQLite", "TestSupport",
      ]),
    .testTarget(
      name: "CauldronToolTests",
      dependencies: [
        "CSQLite", "Cauldron", "CauldronModel", "CauldronStore", "CauldronModelFile",
        "CauldronModelXML", "CauldronSQLite",
        "CauldronTool", "TestSupport",
        arguments, logging,
      ]),
    .testTarget(
      name: "CauldronTests",
      dependencies: [
        "CSQLite", "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronLive", "CauldronModel",
        "CauldronQuery", "CauldronSave", "CauldronStore",
        "CauldronMagicalRecord", "CauldronSQLite",
        "CauldronTesting", "GraphKit", "TestSupport", logging,
      ]),
    // Random operations against models of what they mean; of the graph's tests, all that run under both
    // sanitizers.
    .testTarget(
      name: "RandomTests",
      dependencies: [
        "CauldronGraph", "CauldronLedger", "GraphKit", "ListKit", "MigrationKit", "QueryKit",
        "TestSupport",
      ]),
    .testTarget(
      name: "CauldronTestingTests",
      dependencies: ["Cauldron", "CauldronTesting", "TestSupport", logging]),
    .testTarget(
      name: "CauldronMagicalRecordTests",
      dependencies: [
        "Cauldron", "CauldronMagicalRecord", "CauldronTesting", "TestSupport", logging,
      ]),
    .testTarget(
      name: "LedgerTests",
      dependencies: [
        "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronModel", "CauldronQuery",
        "CauldronStore",
        "CauldronSQLite", "TestSupport", logging,
      ]),
    .testTarget(
      name: "ContextKitTests",
      dependencies: [
        "CTestSupport", "Cauldron", "CauldronGraph", "CauldronLedger", "CauldronModel",
        "CauldronStore",
        "TestSupport", logging,
      ]),
    .testTarget(
      name: "ConfinementTests",
      dependencies: ["Cauldron", "CauldronMagicalRecord", "CauldronModelClasses", "TestSupport"],
      exclude: ["Programs"]),
    // A module as many programs are: everything in it is the main actor's unless it says otherwise.
    .testTarget(
      name: "MainActorTests", dependencies: ["Cauldron", "CauldronTesting", "TestSupport"]),
    // Runs the programs, which a build of the tests makes. It must not depend on them: their
    // entities would be linked into the test bundle and be discovered there.
    .testTarget(name: "ExamplesTests", dependencies: ["CSQLite", "TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// Which tests a build has: all but those of the macros, or those that are named here.
let tests = Context.environment["CAULDRON_TESTS"].flatMap { $0.isEmpty ? nil : $0 }
if let tests, !["macros", "thread", "address"].contains(tests) {
  // A manifest has no other way to refuse.
  fatalError("CAULDRON_TESTS is \(tests); set it to macros, thread or address, or not at all.")
}
let sanitizer = tests == "macros" ? nil : tests

// Tests of macros link these, so that they are made as part of the compiler's tools. All tests are in
// one program, and with them the whole library would be made a second time.
let macroTargets = [
  "CauldronMacros", "CauldronMacrosTests", "CauldronModelClasses", "CauldronModelXML",
]
if tests == "macros" {
  package.targets.removeAll { !macroTargets.contains($0.name) }
  package.products = []
} else {
  package.targets.removeAll { $0.name == "CauldronMacrosTests" }
}

// A build for a sanitizer (`make thread`, `make address`) has the library and the tests that the
// sanitizer can say anything about; CONTRIBUTING.md tells why.
if let sanitizer {
  let names = [
    "thread": [
      "CauldronSQLiteTests", "CauldronTestingTests", "CauldronTests", "ContextKitTests",
      "LedgerTests", "RandomTests",
    ],
    "address": [
      "CauldronImportTests", "CauldronListTests", "CauldronModelFileTests", "CauldronModelTests",
      "CauldronSQLiteTests", "RandomTests",
    ],
  ][sanitizer, default: []]
  var needless = ["CFaults", "CauldronProgram", "CauldronTool"]
  if sanitizer == "address" { needless += ["CauldronMagicalRecord", "CauldronTesting"] }
  package.targets.removeAll { target in
    switch target.type {
    case .executable, .plugin: true
    case .test: !names.contains(target.name)
    default: needless.contains(target.name)
    }
  }
  package.products.removeAll {
    ["cauldron", "CauldronModelPlugin"].contains($0.name) || needless.contains($0.name)
  }
  // The tests in these folders use one thread, or as others do.
  let excluded =
    sanitizer == "address"
    ? ["CauldronImportTests": ["Claims", "Importing", "MagicalRecord", "Planning"]]
    : [
      "CauldronSQLiteTests": [
        "AppleStores", "Connection", "Metadata", "Migration", "Opening", "Packing", "Schema",
        "Statement",
      ],
      "CauldronTests": [
        "Acceptance", "AppleStores", "Calls", "Conflicts", "Deletion", "Derived", "Fetch", "House",
        "Inheritance", "KnownIssues", "LifeCycle", "Links", "Migration", "Models", "Objects",
        "OtherFiles", "Parts", "Proportion", "Query", "Reading", "Relationships", "Undo", "Unique",
        "Validation",
      ],
      "RandomTests": [
        "GraphModelTests.swift", "MigrationOracleTests.swift", "RandomQueryTests.swift",
      ],
    ]
  for target in package.targets { target.exclude += excluded[target.name, default: []] }
  if sanitizer == "thread" {
    let kits = ["MigrationKit", "QueryKit"]
    package.targets.removeAll { kits.contains($0.name) }
    for target in package.targets where target.name == "RandomTests" {
      target.dependencies.removeAll { dependency in
        if case .byNameItem(let name, _) = dependency { kits.contains(name) } else { false }
      }
    }
  }
}

// One set of settings for every Swift target.
let cTargets = ["CCauldron", "CFaults", "CTestSupport"]
for target in package.targets
where ![.system, .plugin].contains(target.type) && !cTargets.contains(target.name) {
  target.swiftSettings = settings
  if target.name == "MainActorTests" {
    target.swiftSettings?.append(.defaultIsolation(MainActor.self))
  }
}

// The targets of this package alone are built for a sanitizer. Packages are not what it looks at,
// and the macros' plugin runs within the compiler, which would wait for it.
if let sanitizer {
  for target in package.targets where target.type == .regular || target.type == .test {
    if cTargets.contains(target.name) {
      target.cSettings = [.unsafeFlags(["-fsanitize=\(sanitizer)"])]
    } else {
      // A report names lines; no debugger is run, which would need more, and takes longer to compile.
      target.swiftSettings?.append(
        .unsafeFlags(["-sanitize=\(sanitizer)", "-gline-tables-only"]))
    }
    target.linkerSettings = [.unsafeFlags(["-sanitize=\(sanitizer)"])]
  }
}
