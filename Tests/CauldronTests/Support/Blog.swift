import Cauldron

@Entity final class Post: ManagedObject {
  var title: String = ""
  @Relationship(inverse: \Tag.posts) var tags: ToMany<Tag>
  @Relationship(inverse: \Post.quotes) var quotedBy: ToMany<Post>
  @Relationship var quotes: ToMany<Post>
}

@Entity class Tag: ManagedObject {
  var name: String = ""
  @Relationship var posts: ToMany<Post>
}

@Entity final class Topic: Tag {
  var rank: Int = 0
}

enum Blog {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [Post._describeEntity(), Tag._describeEntity(), Topic._describeEntity()])
  }
}

extension Post {
  @discardableResult
  static func titled(_ title: String, _ tags: [Tag] = [], in context: ManagedObjectContext) -> Post
  {
    let post = create(in: context)
    post.title = title
    for tag in tags { post.tags.insert(tag) }
    return post
  }

  static func titled(_ title: String, of context: ManagedObjectContext) throws -> Post? {
    try findFirst(where: \.title == title, in: context)
  }

  /// The names of the tags, in alphabetical order.
  var tagNames: [String] { tags.map(\.name).sorted() }
}

extension Tag {
  @discardableResult
  static func named(_ name: String, in context: ManagedObjectContext) -> Tag {
    let tag = create(in: context)
    tag.name = name
    return tag
  }

  static func named(_ name: String, of context: ManagedObjectContext) throws -> Tag? {
    try findFirst(where: \.name == name, in: context)
  }

  /// The titles of the posts, in alphabetical order.
  var titles: [String] { posts.map(\.title).sorted() }
}
