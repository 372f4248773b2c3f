/** Issues, discussions, and comments on them. */
import { issueLike, linkIf, numberedTopic } from '../../git.ts';
import { type Delivery, type Outcome, type Rendered, UnknownEventError, wordsFor } from '../../integration.ts';
import { code, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { inRepository, repositoryOf, senderOf } from './common.ts';
import { isIgnored } from './ignored.ts';

const MAX_NAMES = 10;

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
      action: verbOf(action, 'issues'),
      kind: 'issue',
      number: item.need('number'),
      url: item.text('html_url'),
      title: item.text('title'),
      detail: joined([detailOf(payload, item, action), inRepository(delivery)], ' '),
      text: textOf(payload, item, action),
    }),
  };
}

function eventOf(action: string): string {
  if (/^(un)?labeled$/.test(action)) return 'issue_labeled_or_unlabeled';
  if (/^(de)?milestoned$/.test(action)) return 'issue_milestoned_or_demilestoned';
  return 'issues';
}

/** What the actor did to an issue, a pull request or a discussion. `demilestoned` and the like are no words for people. */
const VERBS: Readonly<Record<string, string>> = {
  answered: 'chose an answer to',
  assigned: 'assigned',
  auto_merge_disabled: 'disabled the automatic merge of',
  auto_merge_enabled: 'enabled the automatic merge of',
  category_changed: 'changed the category of',
  closed: 'closed',
  converted_to_draft: 'converted',
  created: 'created',
  deleted: 'deleted',
  demilestoned: 'removed the milestone from',
  dequeued: 'removed',
  edited: 'edited',
  enqueued: 'added',
  labeled: 'added a label to',
  locked: 'locked',
  milestoned: 'added a milestone to',
  opened: 'opened',
  pinned: 'pinned',
  ready_for_review: 'marked',
  reopened: 'reopened',
  review_request_removed: 'withdrew the request for a review of',
  review_requested: 'requested a review of',
  synchronize: 'updated',
  transferred: 'transferred',
  unanswered: 'no longer accepts the answer to',
  unassigned: 'unassigned',
  unlabeled: 'removed a label from',
  unlocked: 'unlocked',
  unpinned: 'unpinned',
};

export function verbOf(action: string, event: string): string {
  return wordsFor(action, VERBS, `${event}.${action}`);
}

/** What follows the title for some verbs. */
const ENDS: Readonly<Record<string, string>> = {
  converted_to_draft: 'to a draft',
  dequeued: 'from the merge queue',
  enqueued: 'to the merge queue',
  ready_for_review: 'as ready for review',
};

/** To whom, to what, which label, or what it was before. */
export function detailOf(payload: Payload, item: Payload, action: string): Markdown | undefined {
  if (Object.hasOwn(ENDS, action)) return md`${ENDS[action]}`;
  const assignee = payload.text('assignee', 'login');
  if (action === 'assigned' && assignee !== '') return md`to ${assignee}`;
  if (action === 'unassigned' && assignee !== '') return md`from ${assignee}`;
  if (action === 'opened' || action === 'created') return inParentheses([assigneesOf(item), labelsOf(item)]);
  if (action === 'edited') return inParentheses(changesOf(payload, item));
  if (action === 'category_changed') {
    const [old, current] = [payload.text('changes', 'category', 'from', 'name'), item.text('category', 'name')];
    return current === '' ? undefined : md`${old !== '' && md`from ${old} `}to ${current}`;
  }
  if (action === 'transferred') {
    const target = payload.text('changes', 'new_repository', 'full_name');
    return target === '' ? undefined : md`to ${target}`;
  }
  if (action === 'closed') {
    const reason = item.text('state_reason');
    return reason === '' || reason === 'completed' ? undefined : md`as ${reason.replaceAll('_', ' ')}`;
  }
  if (action === 'locked') {
    const reason = item.text('active_lock_reason');
    return reason === '' ? undefined : md`(${reason.replaceAll('_', ' ')})`;
  }
  const name = payload.text('label', 'name') || payload.text('milestone', 'title');
  return name === '' ? undefined : md`(${name})`;
}

function inParentheses(parts: readonly (Markdown | undefined)[]): Markdown | undefined {
  const all = joined(parts, '; ');
  return all.toString() === '' ? undefined : md`(${all})`;
}

function assigneesOf(item: Payload): Markdown | undefined {
  const names = namesIn(item, 'assignees', 'login');
  return names === '' ? undefined : md`assigned to ${names}`;
}

function labelsOf(item: Payload): Markdown | undefined {
  const names = namesIn(item, 'labels', 'name');
  return names === '' ? undefined : md`labels: ${names}`;
}

function namesIn(item: Payload, list: string, field: string): string {
  const names = item.list(list).map((one) => one.text(field));
  return names
    .filter((name) => name !== '')
    .slice(0, MAX_NAMES)
    .join(', ');
}

/** What an edit replaced. */
function changesOf(payload: Payload, item: Payload): readonly (Markdown | undefined)[] {
  const [title, base] = [payload.text('changes', 'title', 'from'), payload.text('changes', 'base', 'ref', 'from')];
  return [
    title === '' ? undefined : md`the title was “${title}”`,
    base === '' ? undefined : md`the target is now ${code(item.text('base', 'ref'))} instead of ${code(base)}`,
  ];
}

/** The text of the author, if it is new. */
export function textOf(payload: Payload, item: Payload, action: string): string {
  const isNewText =
    action === 'edited' && (payload.at('changes').isMissing || !payload.at('changes', 'body').isMissing);
  return action === 'opened' || action === 'created' || isNewText ? item.text('body') : '';
}

export function topicOf(payload: Payload, item: Payload, kind: string): string {
  return numberedTopic(repositoryOf(payload), kind, item.need('number'), item.text('title'));
}

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  created: 'commented',
  deleted: 'deleted a comment',
  edited: 'edited a comment',
};

export function commentVerbOf(action: string, event: string): string {
  return wordsFor(action, COMMENT_VERBS, `${event}.${action}`);
}

/** A comment on an issue, or on a pull request: GitHub has one event for both. */
export function comment(delivery: Delivery): Outcome {
  const { payload } = delivery;
  const action = payload.need('action');
  if (isIgnored(`issue_comment.${action}`)) return { ignored: `issue_comment.${action}` };
  const item = payload.needObject('issue');
  const isPullRequest = !item.at('pull_request').isMissing;
  const kind = isPullRequest ? 'PR' : 'issue';
  return {
    event: isPullRequest ? 'pull_request_comment' : 'issue_comment',
    topic: topicOf(payload, item, kind),
    content: issueLike({
      actor: senderOf(payload),
      action: commentVerbOf(action, 'issue_comment'),
      actionUrl: payload.text('comment', 'html_url'),
      kind: `on ${kind}`,
      number: item.need('number'),
      url: item.text('html_url'),
      detail: inRepository(delivery),
      text: action === 'deleted' ? '' : payload.text('comment', 'body'),
    }),
  };
}

export function discussion({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const item = payload.needObject('discussion');
  const category = item.text('category', 'name');
  const isNew = action === 'created';
  return {
    event: 'discussion',
    topic: topicOf(payload, item, 'discussion'),
    content: issueLike({
      actor: senderOf(payload),
      action: verbOf(action, 'discussion'),
      kind: 'discussion',
      number: item.need('number'),
      url: item.text('html_url'),
      title: item.text('title'),
      detail: joined([isNew && category !== '' && md`in ${category}`, detailOf(payload, item, action)], ' '),
      text: action === 'answered' ? payload.text('answer', 'body') : textOf(payload, item, action),
    }),
  };
}

export function discussionComment({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const item = payload.needObject('discussion');
  const note = payload.needObject('comment');
  return {
    event: 'discussion_comment',
    topic: topicOf(payload, item, 'discussion'),
    content: issueLike({
      actor: senderOf(payload),
      action: commentVerbOf(action, 'discussion_comment'),
      actionUrl: note.text('html_url'),
      kind: 'on discussion',
      number: item.need('number'),
      url: item.text('html_url'),
      title: item.text('title'),
      text: action === 'deleted' ? '' : note.text('body'),
    }),
  };
}

/** Issues that are parts of others. Each change has two events. */
export function subIssue({ payload }: Delivery): Outcome {
  const event = `sub_issues.${payload.need('action')}`;
  if (isIgnored(event)) return { ignored: event };
  const verbs = { 'sub_issues.sub_issue_added': 'added', 'sub_issues.sub_issue_removed': 'removed' };
  const verb = wordsFor(event, verbs, event);
  const [part, whole] = [payload.needObject('sub_issue'), payload.needObject('parent_issue')];
  const preposition = verb === 'added' ? 'to' : 'from';
  const content = md`${senderOf(payload)} ${verb} ${named(part)} ${preposition} ${named(whole)}.`;
  return { event: 'sub_issues', topic: topicOf(payload, whole, 'issue'), content };
}

/** Issues that wait for others. Each change has two events. */
export function dependency({ payload }: Delivery): Outcome {
  const event = `issue_dependencies.${payload.need('action')}`;
  if (isIgnored(event)) return { ignored: event };
  const verbs = {
    'issue_dependencies.blocked_by_added': 'is now blocked by',
    'issue_dependencies.blocked_by_removed': 'is no longer blocked by',
  };
  const verb = wordsFor(event, verbs, event);
  const [blocked, blocking] = [payload.needObject('blocked_issue'), payload.needObject('blocking_issue')];
  const content = md`${senderOf(payload)} changed the dependencies: ${named(blocked)} ${verb} ${named(blocking)}.`;
  return { event: 'issue_dependencies', topic: topicOf(payload, blocked, 'issue'), content };
}

function named(item: Payload): Markdown {
  return md`issue ${linkIf(`#${item.need('number')}`, item.text('html_url'))} ${item.text('title')}`;
}

export function milestone({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  if (!['closed', 'created', 'deleted', 'edited', 'opened'].includes(action))
    throw new UnknownEventError(`milestone.${action}`);
  const item = payload.needObject('milestone');
  return {
    event: 'milestone',
    topic: repositoryOf(payload),
    content: issueLike({
      actor: senderOf(payload),
      action: action === 'opened' ? 'reopened' : action,
      kind: 'milestone',
      number: item.need('title'),
      sign: '',
      url: item.text('html_url'),
      text: action === 'created' ? item.text('description') : '',
    }),
  };
}
