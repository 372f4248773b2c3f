/** Issues, discussions, and comments on them. */
import { issueLike, numberedTopic } from '../../git.ts';
import type { Delivery, Outcome, Rendered } from '../../integration.ts';
import { joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { inRepository, repositoryOf, senderOf } from './common.ts';
import { isIgnored } from './ignored.ts';

const WITH_TEXT: ReadonlySet<string> = new Set(['opened', 'edited']);

export function issue(delivery: Delivery): Outcome {
  const { payload } = delivery;
  const action = payload.need('action');
  if (isIgnored(`issues.${action}`)) return { ignored: `issues.${action}` };
  const item = payload.needObject('issue');
  return {
    event: eventOf(action),
    topic: topicOf(payload, item, 'issue'),
    content: issueLike({
      actor: senderOf(payload),
      action: verbOf(action),
      kind: 'issue',
      number: item.need('number'),
      url: item.text('html_url'),
      title: item.text('title'),
      detail: joined([detailOf(payload, action), inRepository(delivery)], ' '),
      text: WITH_TEXT.has(action) ? item.text('body') : '',
    }),
  };
}

function eventOf(action: string): string {
  if (/^(un)?labeled$/.test(action)) return 'issue_labeled_or_unlabeled';
  if (/^(de)?milestoned$/.test(action)) return 'issue_milestoned_or_demilestoned';
  return 'issues';
}

/** `demilestoned` and the like are no words for people. */
export function verbOf(action: string): string {
  const verbs: Readonly<Record<string, string>> = {
    labeled: 'added a label to',
    unlabeled: 'removed a label from',
    milestoned: 'added a milestone to',
    demilestoned: 'removed the milestone from',
    synchronize: 'updated',
    ready_for_review: 'marked',
    converted_to_draft: 'converted',
    review_requested: 'requested a review of',
    review_request_removed: 'withdrew the request for a review of',
    auto_merge_enabled: 'enabled the automatic merge of',
    auto_merge_disabled: 'disabled the automatic merge of',
    enqueued: 'added',
    dequeued: 'removed',
  };
  return Object.hasOwn(verbs, action) ? (verbs[action] ?? '') : action.replaceAll('_', ' ');
}

/** What follows the title for some verbs. */
const ENDS: Readonly<Record<string, string>> = {
  ready_for_review: 'as ready for review',
  converted_to_draft: 'to a draft',
  enqueued: 'to the merge queue',
  dequeued: 'from the merge queue',
};

/** To whom, to what, or which label. */
export function detailOf(payload: Payload, action: string): Markdown | undefined {
  if (Object.hasOwn(ENDS, action)) return md`${ENDS[action]}`;
  const assignee = payload.text('assignee', 'login');
  if (action === 'assigned' && assignee !== '') return md`to ${assignee}`;
  if (action === 'unassigned' && assignee !== '') return md`from ${assignee}`;
  const name = payload.text('label', 'name') || payload.text('milestone', 'title');
  return name === '' ? undefined : md`(${name})`;
}

export function topicOf(payload: Payload, item: Payload, kind: string): string {
  return numberedTopic(repositoryOf(payload), kind, item.need('number'), item.text('title'));
}

/** A comment on an issue, or on a pull request: GitHub has one event for both. */
export function comment(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const item = payload.needObject('issue');
  const isPullRequest = !item.at('pull_request').isMissing;
  const kind = isPullRequest ? 'PR' : 'issue';
  const action = payload.need('action');
  return {
    event: isPullRequest ? 'pull_request_comment' : 'issue_comment',
    topic: topicOf(payload, item, kind),
    content: issueLike({
      actor: senderOf(payload),
      action: action === 'created' ? 'commented' : `${action} a comment`,
      actionUrl: payload.text('comment', 'html_url'),
      kind: `on ${kind}`,
      number: item.need('number'),
      url: item.text('html_url'),
      detail: inRepository(delivery),
      text: action === 'deleted' ? '' : payload.text('comment', 'body'),
    }),
  };
}

/** A discussion, or a comment on one. */
export function discussion(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const item = payload.needObject('discussion');
  const note = payload.at('comment');
  const action = payload.need('action');
  const common = {
    actor: senderOf(payload),
    number: item.need('number'),
    url: item.text('html_url'),
    title: item.text('title'),
  };
  return {
    event: note.isMissing ? 'discussion' : 'discussion_comment',
    topic: topicOf(payload, item, 'discussion'),
    content: note.isMissing
      ? issueLike({ ...common, action, kind: 'discussion', text: action === 'created' ? item.text('body') : '' })
      : issueLike({
          ...common,
          action: action === 'created' ? 'commented' : `${action} a comment`,
          actionUrl: note.text('html_url'),
          kind: 'on discussion',
          text: action === 'deleted' ? '' : note.text('body'),
        }),
  };
}
