import Benchmark
import Cauldron

// Single operations without a disk. Run with: swift package --package-path Benchmarks benchmark
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration.metrics = [.wallClock, .cpuTotal, .throughput]
  Benchmark.defaultConfiguration.scalingFactor = .kilo
  Benchmark.defaultConfiguration.maxDuration = .seconds(2)
  properties()
  objects()
}

private func properties() {
  each("read an Int property") { blackHole($0.number) }
  each("read a short String property") { blackHole($0.name) }
  each("read a long String property") { blackHole($0.title) }
  each("write an Int property") { $0.number &+= 1 }
  each("write a short String property") { $0.name = "nobody" }
}

private func objects() {
  Benchmark("create an object") { benchmark in
    let context = makeContext(makeStack())
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(Sample.create(in: context)) }
    benchmark.stopMeasurement()
  }
  Benchmark("create and discard a child context") { benchmark in
    let stack = makeStack()
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(makeContext(stack)) }
    benchmark.stopMeasurement()
  }
  Benchmark("save one object into the parent") { benchmark in
    let stack = makeStack()
    let context = makeContext(stack)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      _ = makeSample(context)
      try context.save()
    }
    benchmark.stopMeasurement()
  }
}

/// Measures an operation on one object.
private func each(_ name: String, _ operation: @escaping @Sendable (Sample) -> Void) {
  Benchmark(name) { benchmark in
    // An object may be used for as long as its context exists.
    let context = makeContext(makeStack())
    let sample = makeSample(context)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { operation(sample) }
    benchmark.stopMeasurement()
    withExtendedLifetime(context) {}
  }
}
