import Foundation

/// A file of values from public statistics packages, made by script/reference-statistics.py.
struct ReferenceFile: Decodable {
  struct Case: Decodable {
    let inputs: [Double]
    let expected: [Double?]
  }

  let source: String
  let packages: [String: String]
  let cases: [Case]

  init(_ name: String) throws {
    let folder = Bundle.module.bundleURL.appendingPathComponent("References")
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    self = try JSONDecoder().decode(ReferenceFile.self, from: data)
  }
}
