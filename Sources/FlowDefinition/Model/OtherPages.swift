/// What views of pages that are no step mean.
enum OtherPages: String, CaseIterable {
  case report, ignore
}
