extension SHA2 {
  static func words32(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for i in 16..<64 {
      let a = words[i - 15]
      let b = words[i - 2]
      let s0 = rotate32(a, 7) ^ rotate32(a, 18) ^ a >> 3
      let s1 = rotate32(b, 17) ^ rotate32(b, 19) ^ b >> 10
      words.append(words[i - 16] &+ s0 &+ words[i - 7] &+ s1)
    }
    return words
  }

  static func compress32(_ state: inout [UInt32], _ words: [UInt32]) {
    var v = state
    for i in 0..<64 {
      let s1 = rotate32(v[4], 6) ^ rotate32(v[4], 11) ^ rotate32(v[4], 25)
      let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
      let first = v[7] &+ s1 &+ choice &+ round32[i] &+ words[i]
      let s0 = rotate32(v[0], 2) ^ rotate32(v[0], 13) ^ rotate32(v[0], 22)
      let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
      v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for i in state.indices { state[i] = state[i] &+ v[i] }
  }

  private static func rotate32(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  static func words64(_ block: ArraySlice<UInt8>) -> [UInt64] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 8).map { start in
      block[start..<(start + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    for i in 16..<80 {
      let a = words[i - 15]
      let b = words[i - 2]
      let s0 = rotate64(a, 1) ^ rotate64(a, 8) ^ a >> 7
      let s1 = rotate64(b, 19) ^ rotate64(b, 61) ^ b >> 6
      words.append(words[i - 16] &+ s0 &+ words[i - 7] &+ s1)
    }
    return words
  }

  static func compress64(_ state: inout [UInt64], _ words: [UInt64]) {
    var v = state
    for i in 0..<80 {
      let s1 = rotate64(v[4], 14) ^ rotate64(v[4], 18) ^ rotate64(v[4], 41)
      let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
      let first = v[7] &+ s1 &+ choice &+ round64[i] &+ words[i]
      let s0 = rotate64(v[0], 28) ^ rotate64(v[0], 34) ^ rotate64(v[0], 39)
      let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
      v = [first &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for i in state.indices { state[i] = state[i] &+ v[i] }
  }

  private static func rotate64(_ value: UInt64, _ count: UInt64) -> UInt64 {
    value >> count | value << (64 - count)
  }
}
