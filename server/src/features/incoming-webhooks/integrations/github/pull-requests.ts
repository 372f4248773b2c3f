import { issueLike } from '../../git.ts';
import { type Delivery, type Outcome, type Rendered, wordsFor } from '../../integration.ts';
import { code, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { inRepository, senderOf } from './common.ts';
import { SILENT_REVIEW } from './ignored.ts';
import { commentVerbOf, detailOf, textOf, topicOf, verbOf } from './issues.ts';

export function pullRequest(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const action = payload.need('action');
  const item = payload.needObject('pull_request');
  const isMerged = action === 'closed' && item.isTrue('merged');
  const verb =
    action === 'closed' && !isMerged ? 'closed without merge' : isMerged ? 'merged' : verbOf(action, 'pull_request');
  return {
    event: eventOf(action),
    topic: topicOf(payload, item, 'PR'),
    content: issueLike({
      actor: senderOf(payload),
      action: verb,
      kind: 'PR',
      number: item.need('number'),
      url: item.text('html_url'),
      title: item.text('title'),
      detail: joined([branchesOf(item, action), moreOf(payload, item, action), inRepository(delivery)], ' '),
      text: textOf(payload, item, action),
    }),
  };
}

function eventOf(action: string): string {
  if (action === 'opened' || action === 'reopened') return 'opened_pull_request';
  if (action === 'closed') return 'closed_pull_request';
  if (/^(un)?assigned$/.test(action)) return 'assigned_or_unassigned_pull_request';
  if (/^(un)?labeled$/.test(action)) return 'pull_request_labeled_or_unlabeled';
  if (action === 'ready_for_review') return 'pull_request_ready_for_review';
  if (action === 'review_requested') return 'pull_request_review_requested';
  return 'updated_pull_request';
}

function moreOf(payload: Payload, item: Payload, action: string): Markdown | undefined {
  const reviewer = payload.text('requested_reviewer', 'login') || payload.text('requested_team', 'name');
  return reviewer === '' ? detailOf(payload, item, action) : md`(reviewer: ${reviewer})`;
}

function branchesOf(item: Payload, action: string): Markdown | undefined {
  const [head, base] = [item.text('head', 'ref'), item.text('base', 'ref')];
  if ((action !== 'opened' && action !== 'closed') || head === '' || base === '') return undefined;
  return md`from ${code(head)} to ${code(base)}`;
}

const STATES: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes to',
  commented: 'reviewed',
  dismissed: 'reviewed',
};

export function review(delivery: Delivery): Outcome {
  const { payload } = delivery;
  const item = payload.needObject('pull_request');
  const given = payload.needObject('review');
  const state = given.text('state').toLowerCase();
  const action = payload.need('action');
  // A review without a text only groups comments, and each of them has an event of its own.
  if (action === 'submitted' && state === 'commented' && given.text('body') === '') return { ignored: SILENT_REVIEW };
  const verbs: Readonly<Record<string, string>> = {
    dismissed: 'dismissed a review of',
    edited: 'edited a review of',
    submitted: Object.hasOwn(STATES, state) ? (STATES[state] ?? '') : 'reviewed',
  };
  return {
    event: 'pull_request_review',
    topic: topicOf(payload, item, 'PR'),
    content: issueLike({
      actor: senderOf(payload),
      action: wordsFor(action, verbs, `pull_request_review.${action}`),
      actionUrl: given.text('html_url'),
      kind: 'PR',
      number: item.need('number'),
      url: item.text('html_url'),
      detail: inRepository(delivery),
      text: given.text('body'),
    }),
  };
}

export function reviewComment(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const item = payload.needObject('pull_request');
  const action = payload.need('action');
  const path = payload.text('comment', 'path');
  return {
    event: 'pull_request_review_comment',
    topic: topicOf(payload, item, 'PR'),
    content: issueLike({
      actor: senderOf(payload),
      action: commentVerbOf(action, 'pull_request_review_comment'),
      actionUrl: payload.text('comment', 'html_url'),
      kind: 'on PR',
      number: item.need('number'),
      url: item.text('html_url'),
      detail: joined([path !== '' && md`in ${code(path)}`, inRepository(delivery)], ' '),
      text: action === 'deleted' ? '' : payload.text('comment', 'body'),
    }),
  };
}

const THREAD_VERBS: Readonly<Record<string, string>> = {
  resolved: 'resolved a discussion',
  unresolved: 'reopened a discussion',
};

/** The comments of a review on one part of the code. */
export function reviewThread(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const action = payload.need('action');
  const item = payload.needObject('pull_request');
  const path = payload.text('thread', 'comments', 0, 'path');
  return {
    event: 'pull_request_review_thread',
    topic: topicOf(payload, item, 'PR'),
    content: issueLike({
      actor: senderOf(payload),
      action: wordsFor(action, THREAD_VERBS, `pull_request_review_thread.${action}`),
      actionUrl: payload.text('thread', 'comments', 0, 'html_url'),
      kind: 'on PR',
      number: item.need('number'),
      url: item.text('html_url'),
      detail: joined([path !== '' && md`in ${code(path)}`, inRepository(delivery)], ' '),
    }),
  };
}
