import { badRequest } from '@heddle/api/errors.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf, tagged } from '../../git.ts';
import { type Delivery, FILTERED, type Outcome, type Rendered, wordsFor } from '../../integration.ts';
import { bullets, code, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { nameOf, pageOf } from './common.ts';

/** Branches and tags of one push that the message names. */
const MAX_CHANGES = 20;

function repositoryOf(payload: Payload): string {
  return payload.text('repository', 'name') || payload.need('repository', 'slug');
}

/** The server sends this when its administrator tests the connection. */
export function ping(): Rendered {
  return { event: 'diagnostics:ping', topic: 'Bitbucket Server', content: md`The webhook of Bitbucket Server works.` };
}

const PUSH_VERBS: Readonly<Record<string, string>> = { ADD: 'created', DELETE: 'deleted', UPDATE: 'pushed to' };

/** One push can change several branches and tags. Each is a paragraph. */
export function push({ payload, parameters }: Delivery): Outcome {
  const actor = nameOf(payload.at('actor'));
  const page = pageOf(payload.at('repository'));
  const changes = payload.list('changes');
  if (changes.length === 0) throw badRequest("Malformed payload: 'changes' is missing");
  const commits = commitsOf(payload, page);
  const parts: Markdown[] = [];
  const branches = new Set<string>();
  for (const change of changes.slice(0, MAX_CHANGES)) {
    const type = change.need('type');
    const verb = wordsFor(type, PUSH_VERBS, `repo:refs_changed ${type}`);
    const name = change.text('ref', 'displayId') || change.need('ref', 'id').replace(/^refs\/(?:heads|tags)\//, '');
    const isRemoved = type === 'DELETE';
    if (change.text('ref', 'type') === 'TAG') {
      const url = isRemoved || page === '' ? '' : `${page}/browse?at=${encodeURIComponent(change.text('ref', 'id'))}`;
      parts.push(tagged({ actor, tag: name, url, isRemoved }));
    } else if (isWantedBranch(name, parameters.branches)) {
      branches.add(name);
      parts.push(branchText(md`${actor} ${verb} the branch ${linkIf(name, branchUrl(change, page))}`, change, page));
    }
  }
  if (parts.length === 0) return FILTERED;
  const [branch] = branches;
  const repository = repositoryOf(payload);
  const topic = branches.size === 1 ? `${repository} / ${branch}` : repository;
  const list = branches.size === 1 ? commits : undefined;
  return { event: 'repo:refs_changed', topic, content: joined([...parts, list], '\n\n') };
}

function branchUrl(change: Payload, page: string): string {
  if (page === '' || change.text('type') === 'DELETE') return '';
  return `${page}/compare/commits?sourceBranch=${encodeURIComponent(change.text('ref', 'id'))}`;
}

/** Older versions name only the newest commit. */
function branchText(head: Markdown, change: Payload, page: string): Markdown {
  const id = change.text('toHash');
  if (change.text('type') === 'DELETE' || id === '') return md`${head}.`;
  return md`${head}. Its newest commit is ${commitLink(id, page)}.`;
}

function commitLink(id: string, page: string): Markdown {
  return linkIf(id.slice(0, 11), page === '' ? '' : `${page}/commits/${encodeURIComponent(id)}`);
}

/** Versions since 8 name the commits of the push. */
function commitsOf(payload: Payload, page: string): Markdown {
  const lines = payload.list('commits').map((commit) => {
    const [title = ''] = commit.text('message').split('\n', 1);
    return md`${title} (${commitLink(commit.text('id'), page)})`;
  });
  return bullets(lines);
}

export function forked({ payload }: Delivery): Rendered {
  const copy = payload.needObject('repository');
  const project = copy.text('project', 'name') || copy.text('project', 'key');
  const name = linkIf(project === '' ? copy.need('slug') : `${project}/${copy.need('slug')}`, pageOf(copy));
  const origin = copy.text('origin', 'name') || copy.text('origin', 'slug');
  return {
    event: 'repo:forked',
    topic: origin || repositoryOf(payload),
    content: md`${nameOf(payload.at('actor'))} forked the repository into ${name}.`,
  };
}

export function modified({ payload }: Delivery): Rendered {
  const [old, current] = [payload.needObject('old'), payload.needObject('new')];
  const name = linkIf(current.text('name') || current.need('slug'), pageOf(current));
  const isRenamed = old.text('name') !== current.text('name');
  return {
    event: 'repo:modified',
    topic: current.text('name') || current.need('slug'),
    content: isRenamed
      ? md`${nameOf(payload.at('actor'))} renamed the repository ${old.text('name')} to ${name}.`
      : md`${nameOf(payload.at('actor'))} changed the repository ${name}.`,
  };
}

export function projectModified({ payload }: Delivery): Rendered {
  const [old, current] = [payload.needObject('old'), payload.needObject('new')];
  const name = current.text('name') || current.need('key');
  const before = old.text('name') || old.text('key');
  return {
    event: 'project:modified',
    topic: name,
    content:
      before === name
        ? md`${nameOf(payload.at('actor'))} changed the project ${name}.`
        : md`${nameOf(payload.at('actor'))} renamed the project ${before} to ${name}.`,
  };
}

const COMMENT_VERBS: Readonly<Record<string, string>> = {
  'repo:comment:added': 'commented',
  'repo:comment:deleted': 'deleted a comment',
  'repo:comment:edited': 'edited a comment',
};

/** A comment on a commit. */
export function comment({ payload, header }: Delivery): Rendered {
  const event = header('x-event-key');
  const commit = commitLink(payload.need('commit'), pageOf(payload.at('repository')));
  const head = md`${nameOf(payload.at('actor'))} ${COMMENT_VERBS[event]} on commit ${commit}`;
  const text = event === 'repo:comment:deleted' ? undefined : quote(payload.need('comment', 'text'));
  const content = text === undefined ? md`${head}.` : joined([md`${head}:`, text], '\n\n');
  return { event, topic: repositoryOf(payload), content };
}

export function secretDetected({ payload }: Delivery): Rendered {
  const place = payload.text('location', 'path') || payload.text('path');
  const content = md`⚠️ ${nameOf(payload.at('actor'))} pushed a secret${place !== '' && md` in ${code(place)}`}.`;
  return { event: 'repo:secret_detected', topic: repositoryOf(payload), content };
}
