/// Permission prompts and answers (definitions 8).
extension AttemptEvaluator {
  private static let recoveryMilliseconds: Int64 = 30 * 86_400_000

  mutating func findPermissions() {
    let telling = FactKind.prompted.bit | FactKind.permissionResult.bit
    for permission in attempt.permissions.indices {
      guard seenKinds & telling != 0 else {
        attempt.permissions[permission] = PermissionAnswer()
        continue
      }
      attempt.permissions[permission] = answer(to: Int16(permission))
    }
  }

  private mutating func answer(to permission: Int16) -> PermissionAnswer {
    var result = PermissionAnswer()
    var wasPrompted = false
    // The first decisive status that nobody was prompted for, such as that of a check at launch.
    var unprompted = -1
    var isGranted = false
    var hasOpenPrompt = false
    for index in attemptRange.lowerBound..<windowEndIndex {
      let fact = walk[index]
      let action = compiled.actions[fact.action]
      guard action.permission == permission else { continue }
      if fact.kind == .prompted {
        wasPrompted = true
        hasOpenPrompt = true
      }
      guard fact.kind == .permissionResult else { continue }
      if action.status.isDecisive {
        let isPrompted =
          action.status != .provisional && (action.isPrompted ?? wasPrompted)
        if isPrompted || !promptedAnswerFirst {
          decide(&result, index, action, isPrompted: isPrompted)
          result.hasUnpromptedStatus = unprompted >= 0
          return result
        }
        if unprompted < 0 { unprompted = index }
        isGranted = isGranted || (action.status.isGranting && action.status != .provisional)
        hasOpenPrompt = false
      } else if action.status == .notNow {
        result.answer = .notNow
      }
    }
    if unprompted >= 0 {
      decide(&result, unprompted, compiled.actions[walk[unprompted].action], isPrompted: false)
    }
    // Nobody is asked for what is granted already.
    result.isReached = hasOpenPrompt && !isGranted
    return result
  }

  private mutating func decide(
    _ result: inout PermissionAnswer, _ index: Int, _ action: CompiledAction, isPrompted: Bool
  ) {
    result.isGranting = action.status.isGranting
    if action.isPrompted == false || action.status == .provisional {
      result.answer = .alreadyDecided
    } else {
      result.isReached = isPrompted
      result.isAccepted = result.isReached && result.isGranting
      result.answer =
        switch action.status {
        case .denied: .denied
        case .error: .error
        case .restricted: .restricted
        default: .granted
        }
    }
    guard action.status == .denied else { return }
    let denied = walk[index].timeMilliseconds
    let deadline = denied + AttemptEvaluator.recoveryMilliseconds
    result.isDeniedAndMature = deadline <= options.horizonMilliseconds
    result.leftAfterDenial = result.answer == .denied && isLastOnboardingFact(index)
    for later in (index + 1)..<max(walk.count, index + 1) {
      guard walk[later].timeMilliseconds <= deadline else { break }
      let other = compiled.actions[walk[later].action]
      if walk[later].kind == .permissionResult, other.permission == action.permission,
        other.status.isGranting
      {
        result.recovered = result.isDeniedAndMature
      }
    }
  }

  private mutating func isLastOnboardingFact(_ index: Int) -> Bool {
    guard attempt.outcome == .abandoned, attemptRange.contains(index) else { return false }
    let own = walk[index]
    return !walk[(index + 1)..<attemptRange.upperBound].contains {
      $0.kind != .activity && !$0.isTwin(of: own)
    }
  }
}
