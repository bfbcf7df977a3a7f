import Cauldron

@MainActor func importRecords() throws {
  let people: [[String: Any]] = [
    ["full_name": "Fay", "age": 41], ["full_name": "Gus", "age": "19", "team": "red"],
  ]
  // Values were taken however they were written; new calls are strict unless they are told.
  let options = ImportOptions(mode: .lenient)

  // Company *globex = [Company MR_importFromObject:@{ @"name" : @"Globex", @"employees" : people }];
  let globex = try Company.importFrom(
    [["name": "Globex", "employees": people]], in: .default, options: options
  ).first
  let employees = try globex?.employees.sorted(by: \.age) ?? []
  print("imported at Globex: \(employees.map { "\($0.name) \($0.age)" }.joined(separator: ", "))")

  // NSArray *all = [Company MR_importFromArray:@[ @{ @"name" : @"Globex" }, @{ @"name" : @"Initech" }, @{} ]];
  let records: [[String: Any]] = [["name": "Globex"], ["name": "Initech"], [:]]
  let companies = try Company.importFrom(records, in: .default, options: options) { report in
    // A record without its key took what had none; here it is refused, and the others are not.
    print("imported: \(report.created) created, \(report.refused) refused")
  }
  print("the first is Globex still: \(companies.first === globex)")

  // [fay MR_importValuesForKeysWithObject:@{ @"age" : @42 }];
  try employees.last?.importValues(from: ["age": 42])
  print("\(employees.last?.name ?? "nobody") is \(employees.last?.age ?? 0)")
}
