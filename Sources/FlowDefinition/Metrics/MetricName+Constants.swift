/// The names that are the same in every flow. A test holds them against their Swift names and the
/// catalogue.
extension MetricName {
  // MARK: Counts of persons

  /// People who entered the flow.
  public static let entered = MetricName(rawValue: "entered")
  /// Of those who entered, people whose window is over.
  public static let persons = MetricName(rawValue: "persons")
  /// Of those who entered, people whose window is still open.
  public static let immature = MetricName(rawValue: "immature")
  /// Finished without a skip before.
  public static let finished = MetricName(rawValue: "finished")
  /// Finished after a skip.
  public static let finishedAfterSkipping = MetricName(rawValue: "finished_after_skipping")
  /// Skipped for good.
  public static let skipped = MetricName(rawValue: "skipped")
  /// Neither finished nor skipped.
  public static let abandoned = MetricName(rawValue: "abandoned")
  /// Came back to the flow.
  public static let resumed = MetricName(rawValue: "resumed")
  /// Went through the flow again.
  public static let replayed = MetricName(rawValue: "replayed")
  /// Finished after the window.
  public static let completedLate = MetricName(rawValue: "completed_late")
  /// Have facts of the flow but no entry.
  public static let orphans = MetricName(rawValue: "orphans")
  /// Were seen long before the flow.
  public static let existingUsers = MetricName(rawValue: "existing_users")
  /// Have no event of the flow at all.
  public static let activityOnly = MetricName(rawValue: "activity_only")
  /// Were seen with two variants.
  public static let contaminated = MetricName(rawValue: "contaminated")
  /// Have no variant.
  public static let unassigned = MetricName(rawValue: "unassigned")
  /// Entered outside the experiment's dates.
  public static let outsideExperiment = MetricName(rawValue: "outside_experiment")
  /// Were assigned, exposed or not.
  public static let assigned = MetricName(rawValue: "assigned")

  // MARK: Numbers of a whole variant

  /// The p-value of the split's check.
  public static let srmP = MetricName(rawValue: "srm_p")
  /// The p-value of the split's check, over all assigned.
  public static let srmPAssigned = MetricName(rawValue: "srm_p_assigned")
  /// Completion over all assigned.
  public static let completionRateAssigned = MetricName(rawValue: "completion_rate_assigned")

  // MARK: Rates of the flow

  /// Finished, with a skip before or without.
  public static let completionRate = MetricName(rawValue: "completion_rate")
  /// Skipped for good.
  public static let skipRate = MetricName(rawValue: "skip_rate")
  /// Neither finished nor skipped.
  public static let abandonRate = MetricName(rawValue: "abandon_rate")
  /// Tapped Skip at all.
  public static let usedSkipRate = MetricName(rawValue: "used_skip_rate")
  /// Back on the page they had left, of those who came back to a page.
  public static let resumedInPlace = MetricName(rawValue: "resumed_in_place")

  // MARK: Rates of steps

  /// Viewed the step, of those whose list has it.
  public static let stepReach = MetricName(rawValue: "step_reach")
  /// Passed the step over, of those whose list has it.
  public static let stepBypassed = MetricName(rawValue: "step_bypassed")
  /// Went on from the step, of those who viewed it.
  public static let stepConversion = MetricName(rawValue: "step_conversion")
  /// Finished, of those who viewed the step.
  public static let stepCompletion = MetricName(rawValue: "step_completion")
  /// Left at the step, of those who viewed it.
  public static let stepDropOff = MetricName(rawValue: "step_drop_off")
  /// Left at the step by skipping.
  public static let stepLeftSkipping = MetricName(rawValue: "step_left_skipping")
  /// Left at the step without a skip.
  public static let stepAbandoned = MetricName(rawValue: "step_abandoned")
  /// Left at the step after denying a permission.
  public static let stepAbandonedAfterDenial = MetricName(rawValue: "step_abandoned_after_denial")
  /// Viewed the step again after a later one.
  public static let stepWentBack = MetricName(rawValue: "step_went_back")
  /// Skipped this step.
  public static let stepDeclined = MetricName(rawValue: "step_declined")
  /// Chose the branch, of those who saw where it branches.
  public static let branchTaken = MetricName(rawValue: "branch_taken")
  /// Tapped Skip there first, of those who used skip.
  public static let skipShare = MetricName(rawValue: "skip_share")
  /// Did this next, of those who left at the step.
  public static let stepNextEvent = MetricName(rawValue: "step_next_event")
  /// Went from one step to another, of those who viewed the first.
  public static let stepTransition = MetricName(rawValue: "step_transition")
  /// Went from one step to another after coming back.
  public static let stepReturn = MetricName(rawValue: "step_return")

  // MARK: Rates of permissions

  /// Granted the permission in any way.
  public static let permissionOptIn = MetricName(rawValue: "permission_opt_in")
  /// Granted the permission, of those asked.
  public static let permissionAcceptance = MetricName(rawValue: "permission_acceptance")
  /// Were asked for the permission.
  public static let permissionReach = MetricName(rawValue: "permission_reach")
  /// Granted the permission when asked.
  public static let permissionClassGranted = MetricName(rawValue: "permission_class_granted")
  /// Denied the permission.
  public static let permissionClassDenied = MetricName(rawValue: "permission_class_denied")
  /// Asking ended in an error.
  public static let permissionClassError = MetricName(rawValue: "permission_class_error")
  /// May not grant the permission.
  public static let permissionClassRestricted = MetricName(rawValue: "permission_class_restricted")
  /// Had decided before they were asked.
  public static let permissionClassAlreadyDecided = MetricName(
    rawValue: "permission_class_already_decided")
  /// Put the question off.
  public static let permissionClassNotNow = MetricName(rawValue: "permission_class_not_now")
  /// Have no result.
  public static let permissionClassNoResult = MetricName(rawValue: "permission_class_no_result")
  /// Granted the permission within 30 days after denying it.
  public static let permissionRecovered = MetricName(rawValue: "permission_recovered")
  /// Left right after denying the permission.
  public static let permissionLeftAfterDenial = MetricName(rawValue: "permission_left_after_denial")
  /// Saw a step that asks for the permission.
  public static let permissionSawPriming = MetricName(rawValue: "permission_saw_priming")
  /// Persons by the classes of two permissions.
  public static let permissionJoint = MetricName(rawValue: "permission_joint")

  // MARK: Rates of goals, friction and funnels

  /// Reached the goal, of those whose time for it is over.
  public static let goalRate = MetricName(rawValue: "goal_rate")
  /// Reached the goal, of everybody.
  public static let goalRateOverall = MetricName(rawValue: "goal_rate_overall")
  /// Met what gets in the way.
  public static let frictionRate = MetricName(rawValue: "friction_rate")
  /// Got as far in the funnel, of those who entered it.
  public static let funnelStep = MetricName(rawValue: "funnel_step")

  // MARK: What goals' `value` properties say

  /// The mean of what people's events add up to.
  public static let goalValue = MetricName(rawValue: "goal_value")
  /// The sum of what people's events say.
  public static let goalValueTotal = MetricName(rawValue: "goal_value_total")
  /// What one event comes to.
  public static let goalValuePerEvent = MetricName(rawValue: "goal_value_per_event")

  // MARK: Curves over time

  /// Had finished by then.
  public static let incidenceFinished = MetricName(rawValue: "incidence_finished")
  /// Had skipped by then.
  public static let incidenceSkipped = MetricName(rawValue: "incidence_skipped")
  /// Had abandoned by then.
  public static let incidenceAbandoned = MetricName(rawValue: "incidence_abandoned")
  /// Had come back by then.
  public static let returnedBy = MetricName(rawValue: "returned_by")

  // MARK: Times

  /// Time on a step; its numbers are percentiles, such as `time_on_step_p50`.
  public static let timeOnStep = MetricName(rawValue: "time_on_step")
  /// Time until people move on; its numbers are percentiles, such as `time_to_move_on_p50`.
  public static let timeToMoveOn = MetricName(rawValue: "time_to_move_on")
  /// Time until the flow is finished; its numbers are percentiles, such as `time_to_complete_p50`.
  public static let timeToComplete = MetricName(rawValue: "time_to_complete")
  /// Time until a goal is reached; its numbers are percentiles, such as `time_to_goal_p50`.
  public static let timeToGoal = MetricName(rawValue: "time_to_goal")
  /// The median time from the last view to the next event.
  public static let timeToNextEventP50 = MetricName(rawValue: "time_to_next_event_p50")
}
