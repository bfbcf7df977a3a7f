/// What an object is.
enum GraphKind: CaseIterable {
  case node, mark, crate, piece, word

  /// What such an object shows.
  var properties: [GraphProperty] {
    switch self {
    case .node:
      [
        .value, .weight, .parent, .children, .whole, .parts, .likes, .likedBy, .marks, .rankedBy,
        .crown, .row, .step, .packedIn, .guarded, .words, .holds, .friends,
      ]
    case .mark: [.nodes, .ranking, .chief]
    case .crate: [.pieces, .rows, .packs, .steps, .guards]
    case .piece: [.value, .home]
    case .word: [.name, .value, .weight, .wordNodes]
    }
  }
}

/// What is compared of objects.
enum GraphProperty: Hashable {
  case value, weight, name
  case parent, children, whole, parts, likes, likedBy, marks, rankedBy, crown, row, step
  case packedIn, guarded, words, friends
  /// The second one is what no object shows: the other end of a one-way relationship.
  case holds, heldBy
  case nodes, ranking, chief
  case pieces, rows, packs, steps, guards
  case home, wordNodes
}

/// A relationship of which one side is a reference, by that side.
enum GraphReference: CaseIterable {
  case parent, whole, row, step, home, held

  var property: GraphProperty {
    switch self {
    case .parent: .parent
    case .whole: .whole
    case .row: .row
    case .step: .step
    case .home: .home
    case .held: .heldBy
    }
  }

  var inverse: GraphProperty {
    switch self {
    case .parent: .children
    case .whole: .parts
    case .row: .rows
    case .step: .steps
    case .home: .pieces
    case .held: .holds
    }
  }

  var isOrdered: Bool { ![.parent, .home, .held].contains(self) }
  var owner: GraphKind { [.parent, .whole, .held].contains(self) ? .node : .crate }
  var member: GraphKind { self == .home ? .piece : .node }
}

/// A many-to-many relationship, by the side that the nodes have.
enum GraphLink: CaseIterable {
  case likes, marked, ranking, packs, guards, words, friends

  var property: GraphProperty {
    switch self {
    case .likes: .likes
    case .marked: .marks
    case .ranking: .rankedBy
    case .packs: .packedIn
    case .guards: .guarded
    case .words: .words
    case .friends: .friends
    }
  }

  var inverse: GraphProperty {
    switch self {
    case .likes: .likedBy
    case .marked: .nodes
    case .ranking: .ranking
    case .packs: .packs
    case .guards: .guards
    case .words: .wordNodes
    case .friends: .friends
    }
  }

  var other: GraphKind {
    switch self {
    case .likes, .friends: .node
    case .marked, .ranking: .mark
    case .packs, .guards: .crate
    case .words: .word
    }
  }
}
