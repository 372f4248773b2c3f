import { badRequest } from '@heddle/api/errors.ts';
import { isWantedBranch } from '../../filters.ts';
import { issueLike, linkIf, numberedTopic, pushed, tagged } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type IgnoredEvents,
  type Integration,
  neededHeader,
  type Outcome,
  type Rendered,
  renderedBy,
  wordsFor,
} from '../../integration.ts';
import { bold, code, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { isServerEvent, renderServerEvent } from '../bitbucket3/events.ts';
import { gallery } from './gallery.ts';

const MAX_CHANGES = 20;

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  created: 'commented',
  deleted: 'deleted a comment',
  reopened: 'reopened a comment',
  resolved: 'resolved a comment',
  updated: 'updated a comment',
};

/** Events of pull requests with what the actor did. */
const PULL_REQUEST_VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'updated',
  approved: 'approved',
  unapproved: 'unapproved',
  fulfilled: 'merged',
  rejected: 'rejected',
  changes_request_created: 'requested changes to',
  changes_request_removed: 'withdrew the request for changes to',
};

/** The events, by the header `X-Event-Key` (https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/). */
const EVENTS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['repo:push', push],
  ['repo:fork', forked],
  ['repo:commit_comment_created', commitComment],
  ['repo:commit_status_created', commitStatus],
  ['repo:commit_status_updated', commitStatus],
  ['repo:updated', updated],
  ['issue:created', issue],
  ['issue:updated', issue],
  ['issue:comment_created', issueComment],
  ...Object.keys(PULL_REQUEST_VERBS).map((action) => [`pullrequest:${action}`, pullRequest] as const),
  ['pullrequest:comment_created', pullRequestComment],
  ['pullrequest:comment_updated', pullRequestComment],
  ['pullrequest:comment_deleted', pullRequestComment],
  ['pullrequest:comment_resolved', pullRequestComment],
  ['pullrequest:comment_reopened', pullRequestComment],
]);

const IN_BITBUCKET = 'People see this in Bitbucket itself.';
const NO_CHANGES = 'repo:push without changes';
const IGNORED: IgnoredEvents = {
  'pullrequest:push': 'The event pullrequest:updated reports the same.',
  'repo:created': IN_BITBUCKET,
  'repo:deleted': IN_BITBUCKET,
  'repo:imported': IN_BITBUCKET,
  [NO_CHANGES]: 'Nothing was pushed.',
  'repo:transfer': IN_BITBUCKET,
};

export const bitbucket2: Integration = {
  name: 'bitbucket2',
  otherNames: ['bitbucket'],
  title: 'Bitbucket Cloud',
  gallery,
  events: [...EVENTS.keys()].map((key) =>
    key.replace(/^(pullrequest|issue|repo):/, (_, kind) =>
      kind === 'repo' ? '' : `${kind === 'pullrequest' ? 'pull_request' : kind}_`,
    ),
  ),
  ignored: IGNORED,
  escapesTwice: true,
  isSigned: hmacIn('x-hub-signature', 'sha256='),
  render(delivery) {
    const key = neededHeader(delivery.header, 'X-Event-Key');
    // Bitbucket Server has the same header. People confuse the two URLs, above all as the URL `bitbucket` names neither.
    return isServerEvent(key) ? renderServerEvent(delivery) : renderedBy(key, EVENTS, IGNORED, delivery);
  },
};

function repositoryOf(payload: Payload): string {
  return payload.need('repository', 'name');
}

/** People of Bitbucket have a nickname, and a name that they show. */
function nameOf(user: Payload): string {
  return user.text('display_name') || user.firstText('nickname', 'username') || 'Somebody';
}

function urlOf(payload: Payload): string {
  return payload.text('links', 'html', 'href');
}

/** One push can change several branches and tags. Each is a paragraph. */
function push({ payload, parameters }: Delivery): Outcome {
  const actor = nameOf(payload.at('actor'));
  const changes = payload.list('push', 'changes').slice(0, 20);
  if (payload.at('push', 'changes').isMissing) throw badRequest("Malformed payload: 'push.changes' is missing");
  if (changes.length === 0) return { ignored: NO_CHANGES };
  const parts: Markdown[] = [];
  const branches = new Set<string>();
  for (const change of changes) {
    const isRemoved = change.at('new').isMissing;
    const place = change.at(isRemoved ? 'old' : 'new');
    const name = place.text('name');
    if (place.text('type') === 'tag') {
      parts.push(tagged({ actor, tag: name, url: isRemoved ? '' : urlOf(place), isRemoved }));
    } else if (isWantedBranch(name, parameters.branches)) {
      branches.add(name);
      parts.push(
        pushed({
          actor,
          branch: name,
          compareUrl: urlOf(change),
          isForced: change.isTrue('forced'),
          isRemoved,
          hasMore: change.isTrue('truncated'),
          commits: commitsOf(change),
        }),
      );
    }
  }
  if (parts.length === 0) return FILTERED;
  const [branch] = branches;
  const topic = branches.size === 1 ? `${repositoryOf(payload)} / ${branch}` : repositoryOf(payload);
  return { event: 'push', topic, content: joined(parts, '\n\n') };
}

function commitsOf(change: Payload) {
  return change.list('commits').map((commit) => ({
    id: commit.text('hash'),
    message: commit.text('message'),
    url: urlOf(commit),
    author: commit.text('author', 'user', 'display_name') || nameIn(commit.text('author', 'raw')),
  }));
}

/** The name before the address: `Ada <ada@example.com>`. */
function nameIn(author: string): string {
  const [name = ''] = author.split('<', 1);
  return name.trim();
}

function ofRepository(payload: Payload, event: string, content: Markdown): Rendered {
  return { event, topic: repositoryOf(payload), content };
}

function forked({ payload }: Delivery): Rendered {
  const copy = linkIf(payload.need('fork', 'full_name'), urlOf(payload.at('fork')));
  return ofRepository(payload, 'fork', md`${nameOf(payload.at('actor'))} forked the repository into ${copy}.`);
}

function commitComment({ payload }: Delivery): Rendered {
  const id = payload.need('commit', 'hash');
  const page = urlOf(payload.at('commit'));
  const commit = page === '' ? commitLink(payload, id) : linkIf(id.slice(0, 11), page);
  const commented = linkIf('commented', urlOf(payload.at('comment')));
  const head = md`${nameOf(payload.at('actor'))} ${commented} on ${commit}:`;
  const text = quote(payload.text('comment', 'content', 'raw'));
  return ofRepository(payload, 'commit_comment_created', joined([head, text], '\n\n'));
}

const STATUS_WORDS: Readonly<Record<string, string>> = {
  FAILED: 'failed',
  INPROGRESS: 'in progress',
  STOPPED: 'stopped',
  SUCCESSFUL: 'successful',
};

/** A commit with a link to its page. */
function commitLink(payload: Payload, id: string): Markdown {
  const page = urlOf(payload.at('repository'));
  return linkIf(id.slice(0, 11), page === '' ? '' : `${page}/commits/${encodeURIComponent(id)}`);
}

function commitStatus({ payload, header }: Delivery): Rendered {
  const status = payload.needObject('commit_status');
  // The address of the API ends with the id.
  const url = status.text('links', 'commit', 'href');
  const id = status.text('commit', 'hash') || url.slice(url.lastIndexOf('/') + 1);
  const state = status.need('state');
  const words = wordsFor(state, STATUS_WORDS, `commit status ${state}`);
  const name = linkIf(status.text('name') || status.need('key'), status.text('url'));
  const event = header('x-event-key').replace('repo:', '');
  const branch = status.text('refname');
  const content = md`${name}: ${bold(words)}${id !== '' && md` for ${commitLink(payload, id)}`}${branch !== '' && md` of ${code(branch)}`}.`;
  return ofRepository(payload, event, content);
}

function updated({ payload }: Delivery): Rendered {
  const fields = payload.fields('changes').map(([name]) => name.replaceAll('_', ' '));
  const what = fields.length === 0 ? 'the repository' : `${fields.join(', ')} of the repository`;
  return ofRepository(payload, 'updated', md`${nameOf(payload.at('actor'))} changed ${what}.`);
}

function issue({ payload, header }: Delivery): Rendered {
  const item = payload.needObject('issue');
  const number = item.need('id');
  const isNew = header('x-event-key') === 'issue:created';
  return {
    event: isNew ? 'issue_created' : 'issue_updated',
    topic: numberedTopic(repositoryOf(payload), 'issue', number, item.text('title')),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: isNew ? 'created' : 'updated',
      kind: 'issue',
      number,
      url: urlOf(item),
      title: item.text('title'),
      detail: isNew ? assigneeOf(item) : (changesOf(payload) ?? assigneeOf(item)),
      text: isNew ? item.text('content', 'raw') : payload.text('comment', 'content', 'raw'),
    }),
  };
}

function assigneeOf(item: Payload): Markdown | undefined {
  return item.at('assignee').isObject ? md`(assigned to ${nameOf(item.at('assignee'))})` : undefined;
}

/** What an update replaced. The old and the new value are texts, or people. */
function changesOf(payload: Payload): Markdown | undefined {
  const changes = payload
    .fields('changes')
    .slice(0, MAX_CHANGES)
    .flatMap(([name]) => {
      if (name === 'content') return [md`new description`];
      const [before, after] = ['old', 'new'].map((time) => {
        const value = payload.at('changes', name, time);
        return value.isObject ? value.text('display_name') || value.text('name') : value.text();
      });
      if (before === after) return [];
      const label = name.replaceAll('_', ' ');
      return [md`${label}: ${before === '' ? 'none' : before} → ${after === '' ? 'none' : after}`];
    });
  return changes.length === 0 ? undefined : md`(${joined(changes, '; ')})`;
}

function issueComment({ payload }: Delivery): Rendered {
  const item = payload.needObject('issue');
  const number = item.need('id');
  return {
    event: 'issue_comment_created',
    topic: numberedTopic(repositoryOf(payload), 'issue', number, item.text('title')),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: 'commented',
      actionUrl: urlOf(payload.at('comment')),
      kind: 'on issue',
      number,
      url: urlOf(item),
      text: payload.text('comment', 'content', 'raw'),
    }),
  };
}

function reviewersOf(item: Payload): Markdown | undefined {
  const names = item.list('reviewers').slice(0, MAX_CHANGES).map(nameOf).join(', ');
  return names === '' ? undefined : md`(reviewers: ${names})`;
}

function pullRequest({ payload, header }: Delivery): Rendered {
  const action = header('x-event-key').replace('pullrequest:', '');
  const item = payload.needObject('pullrequest');
  const number = item.need('id');
  const merge = item.text('merge_commit', 'hash');
  const [source, destination] = [item.text('source', 'branch', 'name'), item.text('destination', 'branch', 'name')];
  return {
    event: `pull_request_${action}`,
    topic: numberedTopic(repositoryOf(payload), 'PR', number, item.text('title')),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: wordsFor(action, PULL_REQUEST_VERBS, `pullrequest:${action}`),
      kind: 'PR',
      number,
      url: urlOf(item),
      title: item.text('title'),
      detail: joined(
        [
          action === 'created' && source !== '' && md`from ${code(source)} to ${code(destination)}`,
          action === 'created' && reviewersOf(item),
          action === 'fulfilled' && merge !== '' && md`in commit ${commitLink(payload, merge)}`,
        ],
        ' ',
      ),
      text: action === 'created' ? item.text('description') : action === 'rejected' ? item.text('reason') : '',
    }),
  };
}

function pullRequestComment({ payload, header }: Delivery): Rendered {
  const action = header('x-event-key').replace('pullrequest:comment_', '');
  const item = payload.needObject('pullrequest');
  const number = item.need('id');
  return {
    event: `pull_request_comment_${action}`,
    topic: numberedTopic(repositoryOf(payload), 'PR', number, item.text('title')),
    content: issueLike({
      actor: nameOf(payload.at('actor')),
      action: wordsFor(action, COMMENT_VERBS, `pullrequest:comment_${action}`),
      actionUrl: urlOf(payload.at('comment')),
      kind: 'on PR',
      number,
      url: urlOf(item),
      text: action === 'created' || action === 'updated' ? payload.text('comment', 'content', 'raw') : '',
    }),
  };
}
