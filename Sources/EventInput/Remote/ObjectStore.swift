/// Lists the objects of a bucket.
struct ObjectStore {
  private static let pageBytes = 32 << 20

  let access: RemoteAccess
  let bucket: String

  /// The service refused to list.
  struct Refusal: Error {
    var error: ServiceError?
    var message: String
  }

  /// All objects whose keys begin so, in the order of the bytes of keys.
  func list(prefix: String, limit: Int = .max) throws(Refusal) -> [BucketPage.Entry] {
    var (entries, continuation) = ([BucketPage.Entry](), String?.none)
    repeat {
      let page = try page(prefix: prefix, continuation: continuation, limit: limit)
      entries += page.entries
      if continuation != nil && page.continuation == continuation {
        throw Refusal(message: "can't be listed: the service repeats a page of its listing")
      }
      continuation = page.continuation
    } while continuation != nil && entries.count < limit
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private func page(
    prefix: String, continuation: String?, limit: Int
  ) throws(Refusal) -> BucketPage {
    var query = [("encoding-type", "url"), ("list-type", "2"), ("prefix", prefix)]
    if let continuation { query.insert(("continuation-token", continuation), at: 0) }
    if limit < 1000 { query.insert(("max-keys", String(limit)), at: query.count - 1) }
    let answer = try ask(query)
    guard let page = BucketPage(answer.body) else {
      throw Refusal(
        message: "can't be listed: the answer is no listing of a bucket (ListObjectsV2); check "
          + "--endpoint-url")
    }
    return page
  }

  /// What became of one try.
  private enum Attempt {
    case answer(HTTPAnswer)
    /// Something was learnt from the answer, and the next try goes another way.
    case again
    /// A later try may succeed; seconds where the service names them.
    case later(Refusal, seconds: Int?)
    case refused(Refusal)
  }

  private func ask(_ query: [(String, String)]) throws(Refusal) -> HTTPAnswer {
    var plan = RetryPlan(attempts: access.environment.attempts)
    while true {
      switch attempt(query) {
      case .answer(let answer): return answer
      case .again: continue
      case .refused(let refusal): throw refusal
      case .later(let refusal, let seconds):
        guard let wait = plan.waitAfterFailure(asked: seconds) else {
          throw Refusal(error: refusal.error, message: refusal.message + plan.words)
        }
        HTTPTransfer.wait(seconds: wait)
      }
    }
  }

  private func attempt(_ query: [(String, String)]) -> Attempt {
    let renewals = access.renewals
    let request: HTTPRequest
    do throws(RemoteFailure) {
      request = try access.request(bucket: bucket, key: "", query: query)
    } catch {
      return .refused(Refusal(message: error.message))
    }
    do throws(HTTPTransfer.Failure) {
      let answer = try HTTPTransfer.fetch(request, limit: Self.pageBytes)
      if answer.head.status == 200 { return .answer(answer) }
      let error = ServiceError(answer.head, answer.body, hiding: [])
      if access.note(region: error.region, of: bucket) { return .again }
      let refusal = Refusal(
        error: error,
        message: "can't be listed: \(error.message(credentials: access.credentialsOrigin))")
      let isRenewed = error.isExpiredToken && access.dropCredentials(after: renewals)
      return error.isPassing || isRenewed
        ? .later(refusal, seconds: error.waitSeconds) : .refused(refusal)
    } catch {
      let refusal = Refusal(message: "can't be listed: \(error.message)")
      return error.isPassing ? .later(refusal, seconds: nil) : .refused(refusal)
    }
  }
}
