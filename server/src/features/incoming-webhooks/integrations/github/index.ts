import {
  type Delivery,
  FILTERED,
  type Integration,
  neededHeader,
  type Outcome,
  renderedBy,
} from '../../integration.ts';
import { hmacIn } from '../../signatures.ts';
import * as alerts from './alerts.ts';
import * as builds from './builds.ts';
import { gallery } from './gallery.ts';
import { IGNORED, isOfMergeQueue, MERGE_QUEUE } from './ignored.ts';
import * as issues from './issues.ts';
import * as organizations from './organizations.ts';
import * as pullRequests from './pull-requests.ts';
import * as repositories from './repositories.ts';
import * as settings from './settings.ts';

type Render = (delivery: Delivery) => Outcome;

/** The events, by the header `X-GitHub-Event` (https://docs.github.com/webhooks/webhook-events-and-payloads). */
const EVENTS: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['branch_protection_configuration', settings.allBranchProtection],
  ['branch_protection_rule', settings.branchProtection],
  ['check_run', builds.checkRun],
  ['code_scanning_alert', alerts.codeScanningAlert],
  ['commit_comment', repositories.commitComment],
  ['create', repositories.created],
  ['delete', repositories.deleted],
  ['dependabot_alert', alerts.dependabotAlert],
  ['deploy_key', settings.deployKey],
  ['deployment', builds.deployment],
  ['deployment_review', builds.deploymentReview],
  ['deployment_status', builds.deploymentStatus],
  ['discussion', issues.discussion],
  ['discussion_comment', issues.discussionComment],
  ['fork', repositories.forked],
  ['gollum', repositories.wiki],
  ['issue_comment', issues.comment],
  ['issue_dependencies', issues.dependency],
  ['issues', issues.issue],
  ['member', repositories.member],
  ['membership', organizations.membership],
  ['meta', settings.webhookDeleted],
  ['milestone', issues.milestone],
  ['organization', organizations.organization],
  ['package', settings.aPackage],
  ['page_build', builds.pageBuild],
  ['ping', repositories.ping],
  ['public', repositories.madePublic],
  ['pull_request', pullRequests.pullRequest],
  ['pull_request_review', pullRequests.review],
  ['pull_request_review_comment', pullRequests.reviewComment],
  ['pull_request_review_thread', pullRequests.reviewThread],
  ['push', repositories.push],
  ['release', repositories.release],
  ['repository', repositories.repository],
  ['repository_advisory', alerts.advisory],
  ['repository_ruleset', settings.ruleset],
  ['repository_vulnerability_alert', alerts.vulnerabilityAlert],
  ['secret_scanning_alert', alerts.secretScanningAlert],
  ['security_advisory', alerts.advisory],
  ['security_and_analysis', alerts.securitySettings],
  ['sponsorship', organizations.sponsorship],
  ['star', repositories.star],
  ['status', builds.status],
  ['sub_issues', issues.subIssue],
  ['team', organizations.team],
  ['team_add', organizations.teamAdd],
  ['watch', repositories.star],
  ['workflow_run', builds.workflowRun],
]);

/** Events whose messages have other names, so that the filters of the URL can tell them apart. */
const SPLIT: ReadonlyMap<string, readonly string[]> = new Map([
  ['issue_comment', ['issue_comment', 'pull_request_comment']],
  ['issues', ['issue_labeled_or_unlabeled', 'issue_milestoned_or_demilestoned', 'issues']],
  [
    'pull_request',
    [
      'assigned_or_unassigned_pull_request',
      'closed_pull_request',
      'opened_pull_request',
      'pull_request_labeled_or_unlabeled',
      'pull_request_ready_for_review',
      'pull_request_review_requested',
      'updated_pull_request',
    ],
  ],
  ['push', ['push_commits', 'push_tags']],
]);

export const github: Integration = {
  name: 'github',
  title: 'GitHub',
  gallery,
  events: [...EVENTS.keys()].flatMap((event) => SPLIT.get(event) ?? event).toSorted(),
  ignored: IGNORED,
  isSigned: hmacIn('x-hub-signature-256', 'sha256='),
  render(delivery) {
    const event = neededHeader(delivery.header, 'X-GitHub-Event');
    const { payload, parameters } = delivery;
    if (parameters.ignore_private_repositories && payload.isTrue('repository', 'private')) return FILTERED;
    if (isOfMergeQueue(payload)) return { ignored: MERGE_QUEUE };
    return renderedBy(event, EVENTS, IGNORED, delivery);
  },
};
