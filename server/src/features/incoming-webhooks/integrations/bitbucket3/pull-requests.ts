import { issueLike, numberedTopic } from '../../git.ts';
import type { Delivery, Rendered } from '../../integration.ts';
import { code, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { nameOf, urlOf } from './common.ts';

const MAX_NAMED_REVIEWERS = 10;

/** What the actor did, by the event. */
const VERBS: Readonly<Record<string, string>> = {
  'pr:declined': 'declined',
  'pr:deleted': 'deleted',
  'pr:from_ref_updated': 'added commits to',
  'pr:merged': 'merged',
  'pr:modified': 'changed',
  'pr:opened': 'opened',
  'pr:reviewer:approved': 'approved',
  'pr:reviewer:changes_requested': 'requested changes to',
  'pr:reviewer:needs_work': 'requested changes to',
  'pr:reviewer:unapproved': 'withdrew the approval of',
  'pr:reviewer:updated': 'changed the reviewers of',
  'pr:to_ref_updated': 'updated the target branch of',
};

interface More {
  readonly detail?: Markdown | undefined;
  readonly text?: string;
}

function ofPullRequest({ payload, header }: Delivery, more: More = {}): Rendered {
  const event = header('x-event-key');
  const item = payload.needObject('pullRequest');
  const number = item.need('id');
  return {
    event,
    topic: topicOf(item),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: VERBS[event] ?? 'updated',
      kind: 'PR',
      number,
      // A deleted one has no page.
      url: event === 'pr:deleted' ? '' : urlOf(item),
      title: item.text('title'),
      ...more,
    }),
  };
}

function topicOf(item: Payload): string {
  const repository = item.at('toRef', 'repository');
  return numberedTopic(repository.text('name') || repository.need('slug'), 'PR', item.need('id'), item.text('title'));
}

/** Events that need no more words. */
export function plain(delivery: Delivery): Rendered {
  return ofPullRequest(delivery);
}

export function opened(delivery: Delivery): Rendered {
  const item = delivery.payload.needObject('pullRequest');
  const names = namesOf(item.list('reviewers').map((reviewer) => reviewer.at('user')));
  const detail = joined([branchesOf(item), names !== '' && md`(reviewers: ${names})`], ' ');
  return ofPullRequest(delivery, { detail, text: item.text('description') });
}

function branchesOf(item: Payload): Markdown | undefined {
  const source = item.text('fromRef', 'displayId');
  return source === '' ? undefined : md`from ${code(source)} to ${code(item.text('toRef', 'displayId'))}`;
}

function namesOf(users: readonly Payload[]): string {
  const shown = users.slice(0, MAX_NAMED_REVIEWERS).map(nameOf).join(', ');
  return users.length > MAX_NAMED_REVIEWERS ? `${shown} and ${users.length - MAX_NAMED_REVIEWERS} more` : shown;
}

/** The title, the description or the target of a pull request. */
export function modified(delivery: Delivery): Rendered {
  const { payload } = delivery;
  const item = payload.needObject('pullRequest');
  const [oldTitle, oldTarget] = [payload.text('previousTitle'), payload.text('previousTarget', 'displayId')];
  const target = item.text('toRef', 'displayId');
  const isDescribed = item.text('description') !== payload.text('previousDescription');
  const changes = [
    oldTitle !== '' && oldTitle !== item.text('title') && md`the title was “${oldTitle}”`,
    oldTarget !== '' && oldTarget !== target && md`the target is now ${code(target)} instead of ${code(oldTarget)}`,
    isDescribed && md`new description`,
  ];
  const all = joined(changes, ', ');
  return ofPullRequest(delivery, {
    detail: all.toString() === '' ? undefined : md`(${all})`,
    text: isDescribed ? item.text('description') : '',
  });
}

export function reviewers(delivery: Delivery): Rendered {
  const added = namesOf(delivery.payload.list('addedReviewers'));
  const removed = namesOf(delivery.payload.list('removedReviewers'));
  const changes = joined([added !== '' && md`added: ${added}`, removed !== '' && md`removed: ${removed}`], '; ');
  return ofPullRequest(delivery, { detail: changes.toString() === '' ? undefined : md`(${changes})` });
}

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  'pr:comment:added': 'commented',
  'pr:comment:deleted': 'deleted a comment',
  'pr:comment:edited': 'edited a comment',
};

export function comment({ payload, header }: Delivery): Rendered {
  const event = header('x-event-key');
  const item = payload.needObject('pullRequest');
  const note = payload.needObject('comment');
  const isDeleted = event === 'pr:comment:deleted';
  const page = urlOf(item);
  return {
    event,
    topic: topicOf(item),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: COMMENT_VERBS[event] ?? 'commented',
      actionUrl: page === '' || isDeleted ? '' : `${page}/overview?commentId=${encodeURIComponent(note.text('id'))}`,
      kind: 'on PR',
      number: item.need('id'),
      url: page,
      text: isDeleted ? '' : note.text('text'),
    }),
  };
}
