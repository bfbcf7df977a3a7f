import Cauldron
import Foundation
import Logging
import TestSupport

/// A model with everything that a store can have wrong.
@Entity final class Clinic: ManagedObject {
  @Attribute(.unique) var name: String
  var page: URL?
  var token: UUID = UUID()
  @Relationship(inverse: \Doctor.clinic) var staff: OrderedToMany<Doctor>
  @Relationship(inverse: \Surgeon.runs) var head: Surgeon?
}

@Entity class Doctor: ManagedObject {
  #Index<Doctor>([\.name, \.age])
  var name: String
  var age: Int16 = 30
  var isIn: Bool = true
  var height: Double = 1.7
  var hired: Date = Date(timeIntervalSinceReferenceDate: 0)
  var fee: Decimal?
  var mood: Mood = .calm
  var hours: [Int] = []
  @Relationship var clinic: Clinic?
  @Relationship(inverse: \Badge.owner) var badge: Badge?
  @Relationship(inverse: \Topic.doctors) var topics: OrderedToMany<Topic>
}

@Entity final class Surgeon: Doctor {
  var level: Int16 = 1
  @Relationship var runs: Clinic?
}

@Entity final class Badge: ManagedObject {
  var number: Int = 0
  @Relationship(.required) var owner: Doctor?
}

@Entity final class Topic: ManagedObject {
  var title: String
  @Relationship var doctors: ToMany<Doctor>
}

enum Mood: String {
  case calm
  case busy
}

/// A store of two clinics with four doctors, one of them a surgeon.
enum Surgery {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(Clinic.self, Doctor.self, Surgeon.self, Badge.self, Topic.self)
  }

  static func open(_ url: URL) throws -> Stack {
    var configuration = StackConfiguration()
    configuration.synchronous = .normal
    configuration.logger.logLevel = .critical
    return try Stack(storeURL: url, model: model(), configuration: configuration)
  }

  static func make(_ url: URL) throws {
    let stack = try open(url)
    try stack.saveAndWait { local in fill(local.context) }
    try stack.close()
  }

  /// A filled store, in a folder that lasts as long as the first result.
  static func makeInDirectory() throws -> (TemporaryDirectory, URL) {
    let directory = try TemporaryDirectory()
    let url = directory.file("clinics.sqlite")
    try make(url)
    return (directory, url)
  }

  private static func fill(_ context: ManagedObjectContext) {
    let clinics = ["north", "south"].map { name in
      let clinic = Clinic.create(in: context)
      clinic.name = name
      clinic.page = URL(string: "https://\(name).example")
      return clinic
    }
    let topics = ["knee", "eye"].map { title in
      let topic = Topic.create(in: context)
      topic.title = title
      return topic
    }
    for (index, name) in ["ada", "ben", "cem", "dag"].enumerated() {
      let doctor = index == 3 ? Surgeon.create(in: context) : Doctor.create(in: context)
      doctor.name = name
      doctor.hours = [index, index + 8]
      doctor.fee = 12.5
      for topic in topics { doctor.topics.append(topic) }
      clinics[index % 2].staff.append(doctor)
      let badge = Badge.create(in: context)
      badge.number = index + 1
      doctor.badge = badge
      (doctor as? Surgeon)?.runs = clinics[0]
    }
  }
}
