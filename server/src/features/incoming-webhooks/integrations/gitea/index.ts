import { isWantedBranch } from '../../filters.ts';
import { isNoCommit, issueLike, isTag, linkIf, numberedTopic, pushed, refName, tagged } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type Header,
  type IgnoredEvents,
  type Integration,
  neededHeader,
  type Outcome,
  type Rendered,
  renderedBy,
  wordsFor,
} from '../../integration.ts';
import { code, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { actionRun, BUILDS_IGNORED, RUN_EVENTS, workflowRun } from './builds.ts';
import { gallery } from './gallery.ts';

/**
 * The events, by the header `X-Gitea-Event` (https://docs.gitea.com/usage/webhooks). Forgejo sends the same, and more. Gogs sends some of them
 * under its own name.
 */
const EVENTS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['create', created],
  ['delete', created],
  ['fork', forked],
  ['issue_comment', comment],
  ['issues', issue],
  ['pull_request', pullRequest],
  ['pull_request_approved', review],
  ['pull_request_comment', comment],
  ['pull_request_rejected', review],
  ['push', push],
  ['release', release],
  ['package', packageChanged],
  ['repository', repositoryChanged],
  ['wiki', wiki],
  ['workflow_run', workflowRun],
  ...RUN_EVENTS.map((event) => [event, actionRun] as const),
]);

const IN_GITEA = 'People see this in Gitea itself.';
const IGNORED: IgnoredEvents = {
  status: IN_GITEA,
  workflow_job: 'The result of the workflow has an event.',
  ...BUILDS_IGNORED,
};

/** The name of the program in its headers. */
function programOf(header: Header): 'gitea' | 'forgejo' | 'gogs' {
  const programs = ['gitea', 'forgejo', 'gogs'] as const;
  return programs.find((name) => header(`x-${name}-event`) !== '') ?? 'gitea';
}

export const gitea: Integration = {
  name: 'gitea',
  otherNames: ['gogs'],
  title: 'Gitea, Forgejo and Gogs',
  gallery,
  events: [...EVENTS.keys()],
  ignored: IGNORED,
  isSigned: (signed) => hmacIn(`x-${programOf(signed.header)}-signature`)(signed),
  render(delivery) {
    const event =
      delivery.header(`x-${programOf(delivery.header)}-event`) || neededHeader(delivery.header, 'X-Gitea-Event');
    const header: Header = (name) => (name === 'x-gitea-event' ? event : delivery.header(name));
    return renderedBy(event, EVENTS, IGNORED, { ...delivery, header });
  },
};

function repositoryOf(payload: Payload): string {
  return payload.need('repository', 'name');
}

function senderOf(payload: Payload): string {
  return payload.text('sender', 'login') || payload.need('sender', 'username');
}

function push({ payload, parameters }: Delivery): Outcome {
  const ref = payload.need('ref');
  const branch = refName(ref);
  const actor = payload.text('pusher', 'login') || senderOf(payload);
  const isRemoved = isNoCommit(payload.text('after'));
  if (isTag(ref)) {
    const page = payload.text('repository', 'html_url');
    const url = isRemoved || page === '' ? '' : `${page}/src/tag/${encodeURIComponent(branch)}`;
    return { event: 'push', topic: repositoryOf(payload), content: tagged({ actor, tag: branch, url, isRemoved }) };
  }
  if (!isWantedBranch(branch, parameters.branches)) return FILTERED;
  return {
    event: 'push',
    topic: `${repositoryOf(payload)} / ${branch}`,
    content: pushed({
      actor,
      branch,
      compareUrl: payload.text('compare_url'),
      isRemoved,
      count: payload.number('total_commits') ?? payload.count('commits'),
      commits: payload.list('commits').map((commit) => ({
        id: commit.text('id'),
        message: commit.text('message'),
        url: commit.text('url'),
        author: commit.text('author', 'username') || commit.text('author', 'name'),
      })),
    }),
  };
}

function created({ payload, header }: Delivery): Rendered {
  const event = header('x-gitea-event');
  const verb = event === 'create' ? 'created' : 'deleted';
  const content = md`${senderOf(payload)} ${verb} ${payload.need('ref_type')} ${payload.text('ref')}.`;
  return { event, topic: repositoryOf(payload), content };
}

function forked({ payload }: Delivery): Rendered {
  const copy = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  return { event: 'fork', topic: payload.need('forkee', 'name'), content: md`${senderOf(payload)} forked ${copy}.` };
}

/** What the actor did to an issue or a pull request. */
const ACTIONS: Readonly<Record<string, string>> = {
  assigned: 'assigned',
  closed: 'closed',
  deleted: 'deleted',
  demilestoned: 'removed the milestone from',
  edited: 'edited',
  label_cleared: 'removed the labels of',
  label_updated: 'changed the labels of',
  milestoned: 'added a milestone to',
  opened: 'opened',
  reopened: 'reopened',
  review_request_removed: 'withdrew the request for a review of',
  review_requested: 'requested a review of',
  synchronized: 'added commits to',
  transferred: 'transferred',
  unassigned: 'removed the assignees of',
};

function verbOf(action: string, event: string): string {
  return wordsFor(action, ACTIONS, `${event}.${action}`);
}

const MAX_NAMES = 10;

function namesIn(item: Payload, list: string, ...fields: readonly string[]): string {
  const names = item.list(list).map((one) => one.firstText(...fields));
  return names
    .filter((name) => name !== '')
    .slice(0, MAX_NAMES)
    .join(', ');
}

/** To whom, which labels, which milestone, or what it was before. */
function detailOf(payload: Payload, item: Payload, action: string): Markdown | undefined {
  const assignees =
    namesIn(item, 'assignees', 'login', 'username') || item.at('assignee').firstText('login', 'username');
  const reviewer =
    payload.at('requested_reviewer').firstText('login', 'username') || payload.text('requested_team', 'name');
  const [labels, milestone, title] = [
    namesIn(item, 'labels', 'name'),
    item.text('milestone', 'title'),
    payload.text('changes', 'title', 'from'),
  ];
  switch (action) {
    case 'opened':
      return assignees === '' ? undefined : md`(assigned to ${assignees})`;
    case 'assigned':
      return assignees === '' ? undefined : md`to ${assignees}`;
    case 'review_requested':
    case 'review_request_removed':
      return reviewer === '' ? undefined : md`(reviewer: ${reviewer})`;
    case 'label_updated':
      return labels === '' ? undefined : md`(now: ${labels})`;
    case 'milestoned':
      return milestone === '' ? undefined : md`(${milestone})`;
    case 'edited':
      return title === '' ? undefined : md`(the title was “${title}”)`;
    default:
      return undefined;
  }
}

/** Gogs has no address of an issue. */
function urlOf(payload: Payload, item: Payload, number: string): string {
  const page = payload.text('repository', 'html_url');
  const fallback = page === '' ? '' : `${page}/issues/${encodeURIComponent(number)}`;
  return item.firstText('html_url', 'url') || fallback;
}

function issue({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const item = payload.needObject('issue');
  const number = payload.text('number') || item.need('number');
  return {
    event: 'issues',
    topic: numberedTopic(repositoryOf(payload), 'issue', number, item.text('title')),
    content: issueLike({
      actor: senderOf(payload),
      action: verbOf(action, 'issues'),
      kind: 'issue',
      number,
      url: urlOf(payload, item, number),
      title: item.text('title'),
      detail: detailOf(payload, item, action),
      text: action === 'opened' ? item.text('body') : '',
    }),
  };
}

function pullRequest({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const item = payload.needObject('pull_request');
  const number = payload.text('number') || item.need('number');
  const closing = item.isTrue('merged') ? 'merged' : 'closed without merge';
  const [head, base] = ['head', 'base'].map((side) => item.text(side, 'ref') || item.text(`${side}_branch`));
  return {
    event: 'pull_request',
    topic: numberedTopic(repositoryOf(payload), 'PR', number, item.text('title')),
    content: issueLike({
      actor: senderOf(payload),
      action: action === 'closed' ? closing : verbOf(action, 'pull_request'),
      kind: 'PR',
      number,
      url: item.text('html_url'),
      title: item.text('title'),
      detail: joined(
        [
          action === 'opened' && !!head && md`from ${code(head)} to ${code(base ?? '')}`,
          detailOf(payload, item, action),
        ],
        ' ',
      ),
      text: action === 'opened' ? item.text('body') : '',
    }),
  };
}

/** By the header. */
const REVIEWS: Readonly<Record<string, string>> = {
  pull_request_approved: 'approved',
  pull_request_rejected: 'requested changes to',
};

function review({ payload, header }: Delivery): Rendered {
  const event = header('x-gitea-event');
  const item = payload.needObject('pull_request');
  const number = payload.text('number') || item.need('number');
  return {
    event,
    topic: numberedTopic(repositoryOf(payload), 'PR', number, item.text('title')),
    content: issueLike({
      actor: senderOf(payload),
      action: (Object.hasOwn(REVIEWS, event) ? REVIEWS[event] : undefined) ?? 'reviewed',
      kind: 'PR',
      number,
      url: item.text('html_url'),
      text: payload.text('review', 'content'),
    }),
  };
}

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  created: 'commented',
  deleted: 'deleted a comment',
  edited: 'edited a comment',
};

function comment(delivery: Delivery): Rendered {
  const { payload, header } = delivery;
  const action = payload.need('action');
  // A review that neither approves nor rejects has the event of a comment.
  if (action === 'reviewed') return review(delivery);
  const isPullRequest = payload.isTrue('is_pull') || !payload.at('pull_request').isMissing;
  const item = payload.at('issue').isObject ? payload.at('issue') : payload.needObject('pull_request');
  const kind = isPullRequest ? 'PR' : 'issue';
  const number = item.need('number');
  return {
    event: header('x-gitea-event'),
    topic: numberedTopic(repositoryOf(payload), kind, number, item.text('title')),
    content: issueLike({
      actor: senderOf(payload),
      action: wordsFor(action, COMMENT_VERBS, `${header('x-gitea-event')}.${action}`),
      actionUrl: payload.text('comment', 'html_url'),
      kind: `on ${kind}`,
      number,
      url: urlOf(payload, item, number),
      text: action === 'deleted' ? '' : payload.text('comment', 'body'),
    }),
  };
}

const RELEASE_VERBS: Readonly<Record<string, string>> = {
  deleted: 'deleted',
  published: 'published',
  updated: 'updated',
};

function release({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const given = payload.needObject('release');
  const name = linkIf(given.text('name') || given.need('tag_name'), given.text('html_url'));
  const verb = wordsFor(action, RELEASE_VERBS, `release.${action}`);
  const head = md`${senderOf(payload)} ${verb} release ${name}.`;
  return {
    event: 'release',
    topic: repositoryOf(payload),
    content: joined([head, action === 'published' && quote(given.text('body'))], '\n\n'),
  };
}

const VERBS: Readonly<Record<string, string>> = {
  created: 'created',
  deleted: 'deleted',
  edited: 'edited',
  renamed: 'renamed',
};

function repositoryChanged({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const name = linkIf(
    payload.need('repository', 'full_name'),
    action === 'deleted' ? '' : payload.text('repository', 'html_url'),
  );
  const content = md`${senderOf(payload)} ${wordsFor(action, VERBS, `repository.${action}`)} the repository ${name}.`;
  return { event: 'repository', topic: repositoryOf(payload), content };
}

function wiki({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const content = md`${senderOf(payload)} ${wordsFor(action, VERBS, `wiki.${action}`)} the wiki page ${payload.need('page')}.`;
  return { event: 'wiki', topic: repositoryOf(payload), content };
}

function packageChanged({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const item = payload.needObject('package');
  const name = linkIf(item.need('name'), action === 'deleted' ? '' : item.text('html_url'));
  const version = item.text('version');
  const head = md`${senderOf(payload)} ${wordsFor(action, VERBS, `package.${action}`)} the package ${name}`;
  const content = md`${head}${version !== '' && md` in version ${version}`}.`;
  return { event: 'package', topic: payload.text('repository', 'name') || item.need('name'), content };
}
