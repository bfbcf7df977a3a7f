extension GraphOracle {
  func word(named name: Int, _ place: GraphPlace) -> Int? {
    living(.word, place).first { content(.name($0), place) == name }
  }

  /// Whether another context has given a name to a word in a way that this one would collide with.
  /// - Parameter isClaim: Whether the name is asked for, as that other word may have been.
  func isNameTaken(_ name: Int, isClaim: Bool, _ place: GraphPlace) -> Bool {
    names(place).contains { $0.name == name && !(isClaim && isClaimed($0.word, by: name)) }
  }

  /// The words that other contexts have not saved and that were asked for by a name.
  func claimants(_ name: Int, _ place: GraphPlace) -> [Int] {
    names(place).filter { $0.name == name && isClaimed($0.word, by: name) }.map(\.word)
  }

  /// Whether a name stands for a word because somebody has asked for it. Once the word is in the file,
  /// whoever gives it that name again renames it, as with any other name.
  private func isClaimed(_ word: Int, by name: Int) -> Bool {
    claims[word] == name && !exists(word, nil)
  }

  /// Whether a context or one above it has asked for a word that somebody else has saved by now: until
  /// its save it shows its own, and what is set of it would be in conflict with what it cannot see.
  func isShadowed(_ word: Int, _ place: GraphPlace) -> Bool {
    place.chain.contains { level in
      layers[level]?.cells[.exists(word)] == 1 && exists(word, level.parent)
    }
  }

  /// Whether somebody else has set something of such a word: a deletion counts as made of what the word
  /// began with, and would be in conflict with that.
  func isOvertaken(_ word: Int, _ place: GraphPlace) -> Bool {
    place.chain.contains { level in
      guard layers[level]?.cells[.exists(word)] == 1, exists(word, level.parent) else {
        return false
      }
      let isSet = [.value(word), .weight(word)].contains { content($0, level.parent) != nil }
      return isSet || content(.name(word), level.parent) != claims[word]
    }
  }

  private func names(_ place: GraphPlace) -> [(word: Int, name: Int)] {
    place.others.flatMap { other in
      (layers[other]?.cells ?? [:]).compactMap { cell, content in
        if case .name(let word) = cell, let content { (word, content) } else { nil }
      }
    }
  }
}
