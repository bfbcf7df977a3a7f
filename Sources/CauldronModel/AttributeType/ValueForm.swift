/// What a value looks like in a row and in a store: all that tells attribute types apart once a
/// model is built.
package enum ValueForm: UInt8, Sendable {
  case integer
  /// An integer of which only 0 and other numbers are told apart.
  case boolean
  case real
  case text
  /// A number spelt as text.
  case decimal
  case blob
  /// A blob of 16 bytes.
  case uuid
  /// A blob that some encoder has made.
  case encoded

  /// How two values compare.
  package enum Comparison: Sendable {
    case integer
    case real
    /// By the number that the text spells.
    case decimal
    /// Byte by byte.
    case bytes
  }

  /// What may be there and yet be no value.
  package enum Doubt: Sendable {
    /// A real that is NaN.
    case nan
    /// A text that spells NaN.
    case nanText
    /// The mark of what could not be encoded.
    case unencodable
    /// An integer that stands for values of the property's type that no store can keep.
    case unstorable(_Unstorable)

    /// Whether a value was lost; otherwise there was none, which is nil where nil is allowed.
    package var isLoss: Bool {
      switch self {
      case .nan, .nanText: false
      case .unencodable, .unstorable: true
      }
    }
  }

  /// How a packed row keeps a value.
  package var storageClass: StorageClass { traits.storageClass }
  package var comparison: Comparison { traits.comparison }
  package var doubt: Doubt? { traits.doubt }

  private var traits: Traits {
    switch self {
    case .integer, .boolean: Traits(.integer, .integer)
    case .real: Traits(.real, .real, .nan)
    case .text: Traits(.text, .bytes)
    case .decimal: Traits(.text, .decimal, .nanText)
    case .blob, .uuid: Traits(.blob, .bytes)
    case .encoded: Traits(.blob, .bytes, .unencodable)
    }
  }

  private struct Traits {
    let storageClass: StorageClass
    let comparison: Comparison
    let doubt: Doubt?

    @inline(__always)
    init(_ storageClass: StorageClass, _ comparison: Comparison, _ doubt: Doubt? = nil) {
      self.storageClass = storageClass
      self.comparison = comparison
      self.doubt = doubt
    }
  }
}
