import {
  type Delivery,
  FILTERED,
  type Integration,
  neededHeader,
  type Outcome,
  renderedBy,
} from '../../integration.ts';
import { hmacIn } from '../../signatures.ts';
import { checkRun, deployment, deploymentStatus, status, workflowRun } from './builds.ts';
import { IGNORED } from './ignored.ts';
import { comment, discussion, issue } from './issues.ts';
import { pullRequest, review, reviewComment } from './pull-requests.ts';
import * as repositories from './repositories.ts';

type Render = (delivery: Delivery) => Outcome;

/** The events, by the header `X-GitHub-Event` (https://docs.github.com/webhooks/webhook-events-and-payloads). */
const EVENTS: ReadonlyMap<string, Render> = new Map<string, Render>([
  ['check_run', checkRun],
  ['commit_comment', repositories.commitComment],
  ['create', repositories.created],
  ['delete', repositories.deleted],
  ['deployment', deployment],
  ['deployment_status', deploymentStatus],
  ['discussion', discussion],
  ['discussion_comment', discussion],
  ['fork', repositories.forked],
  ['gollum', repositories.wiki],
  ['issue_comment', comment],
  ['issues', issue],
  ['member', repositories.member],
  ['ping', repositories.ping],
  ['public', repositories.madePublic],
  ['pull_request', pullRequest],
  ['pull_request_review', review],
  ['pull_request_review_comment', reviewComment],
  ['push', repositories.push],
  ['release', repositories.release],
  ['repository', repositories.repository],
  ['star', repositories.star],
  ['status', status],
  ['watch', repositories.star],
  ['workflow_run', workflowRun],
]);

export const github: Integration = {
  name: 'github',
  title: 'GitHub',
  about: 'Version control',
  setup: 'In the repository: Settings, Webhooks, Add webhook. Choose the content type application/json.',
  events: [
    'assigned_or_unassigned_pull_request',
    'check_run',
    'closed_pull_request',
    'commit_comment',
    'create',
    'delete',
    'deployment',
    'deployment_status',
    'discussion',
    'discussion_comment',
    'fork',
    'gollum',
    'issue_comment',
    'issue_labeled_or_unlabeled',
    'issue_milestoned_or_demilestoned',
    'issues',
    'member',
    'opened_pull_request',
    'ping',
    'public',
    'pull_request_comment',
    'pull_request_labeled_or_unlabeled',
    'pull_request_ready_for_review',
    'pull_request_review',
    'pull_request_review_comment',
    'pull_request_review_requested',
    'push_commits',
    'push_tags',
    'release',
    'repository',
    'star',
    'status',
    'updated_pull_request',
    'watch',
    'workflow_run',
  ],
  ignored: IGNORED,
  isSigned: hmacIn('x-hub-signature-256', 'sha256='),
  render(delivery) {
    const event = neededHeader(delivery.header, 'X-GitHub-Event');
    const { payload, parameters } = delivery;
    if (parameters.ignore_private_repositories && payload.isTrue('repository', 'private')) return FILTERED;
    return renderedBy(event, EVENTS, IGNORED, delivery);
  },
};
