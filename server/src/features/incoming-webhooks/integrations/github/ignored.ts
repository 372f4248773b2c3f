import type { IgnoredEvents } from '../../integration.ts';
import type { Payload } from '../../payload.ts';

const RESULTS = 'Only the result is worth a message.';
const IN_GITHUB = 'People see this in GitHub itself.';
const OTHER_EVENT = 'Another event reports the same.';
const FOR_APPS = 'Only apps of GitHub need this.';

export const MERGE_QUEUE = 'events of branches gh-readonly-queue/*';
export const SILENT_REVIEW = 'pull_request_review without a text';

/** The names of actions have the name of their event before them. */
export const IGNORED: IgnoredEvents = {
  [MERGE_QUEUE]: 'A merge queue tests pull requests there. The pull requests have events of their own.',
  [SILENT_REVIEW]: 'The review only groups comments. Each comment has an event of its own.',
  'check_run.created': RESULTS,
  'check_run.requested_action': RESULTS,
  'check_run.rerequested': RESULTS,
  check_suite: 'Each check and each workflow has an event of its own.',
  custom_property: IN_GITHUB,
  custom_property_values: IN_GITHUB,
  deployment_protection_rule: FOR_APPS,
  'dependabot_alert.assignees_changed': IN_GITHUB,
  github_app_authorization: FOR_APPS,
  installation: FOR_APPS,
  installation_repositories: FOR_APPS,
  installation_target: FOR_APPS,
  'issue_comment.pinned': IN_GITHUB,
  'issue_comment.unpinned': IN_GITHUB,
  'issue_dependencies.blocking_added': OTHER_EVENT,
  'issue_dependencies.blocking_removed': OTHER_EVENT,
  'issues.pinned': 'People see pins in GitHub itself.',
  'issues.typed': IN_GITHUB,
  'issues.unpinned': 'People see pins in GitHub itself.',
  'issues.untyped': IN_GITHUB,
  label: IN_GITHUB,
  marketplace_purchase: FOR_APPS,
  merge_group: 'The pull requests of a merge queue have events of their own.',
  org_block: IN_GITHUB,
  'page_build.building': RESULTS,
  'page_build.built': 'Only a failed build is worth a message.',
  'page_build.queued': RESULTS,
  personal_access_token_request: FOR_APPS,
  project: IN_GITHUB,
  project_card: IN_GITHUB,
  project_column: IN_GITHUB,
  projects_v2: IN_GITHUB,
  projects_v2_item: IN_GITHUB,
  projects_v2_status_update: IN_GITHUB,
  registry_package: 'The event package reports the same.',
  'release.created': 'A release that appears also has the event published.',
  'release.prereleased': 'A release that appears also has the event published.',
  'release.released': 'A release that appears also has the event published.',
  'release.unpublished': 'People see drafts in GitHub itself.',
  repository_dispatch: 'A program starts a workflow, whose result has an event.',
  repository_import: RESULTS,
  schedule: 'GitHub starts a workflow, whose result has an event.',
  secret_scanning_alert_location: 'The event secret_scanning_alert reports the secret.',
  secret_scanning_scan: 'Each secret that a scan finds has an event of its own.',
  'sub_issues.parent_issue_added': OTHER_EVENT,
  'sub_issues.parent_issue_removed': OTHER_EVENT,
  workflow_dispatch: 'The result of the workflow has an event.',
  workflow_job: 'The result of the workflow has an event.',
  'workflow_run.in_progress': RESULTS,
  'workflow_run.requested': RESULTS,
};

/** Whether the action of this event is ignored on purpose. */
export function isIgnored(event: string): boolean {
  return Object.hasOwn(IGNORED, event);
}

/** Whether the event is about a branch that GitHub makes while a merge queue tests pull requests. */
export function isOfMergeQueue(payload: Payload): boolean {
  const branches = [
    payload.text('ref'),
    ...['check_run', 'check_suite', 'workflow_run', 'workflow_job'].flatMap((event) => [
      payload.text(event, 'head_branch'),
      payload.text(event, 'check_suite', 'head_branch'),
    ]),
    payload.text('deployment', 'ref'),
  ];
  // The commit of a status can be in other branches as well.
  const ofStatus = payload.list('branches').map((branch) => branch.text('name'));
  return branches.some(isQueueBranch) || (ofStatus.length > 0 && ofStatus.every(isQueueBranch));
}

function isQueueBranch(name: string): boolean {
  return /^(?:refs\/heads\/)?gh-readonly-queue\//.test(name);
}
