/// The numbers of packed rows in the order of a result; most results come as they were packed.
struct PackOrder {
  /// How many numbers at the beginning are 0, 1, 2 and so on.
  private(set) var ascending = 0
  /// The numbers after those.
  private(set) var rest: [Int] = []

  @inline(__always)
  mutating func append(_ number: Int) {
    if number == ascending, rest.isEmpty { ascending += 1 } else { rest.append(number) }
  }
}
