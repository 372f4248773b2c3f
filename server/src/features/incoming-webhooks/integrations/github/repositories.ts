/** Pushes, releases, and what happens to a repository itself. */
import { isWantedBranch } from '../../filters.ts';
import { isTag, linkIf, pushed, refName, tagged } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type Outcome,
  type Rendered,
  UnknownEventError,
  wordsFor,
} from '../../integration.ts';
import { bullets, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { repositoryOf, senderOf } from './common.ts';
import { isIgnored } from './ignored.ts';

export function push({ payload, parameters }: Delivery): Outcome {
  const ref = payload.need('ref');
  const repository = repositoryOf(payload);
  const actor = payload.text('sender', 'login') || payload.need('pusher', 'name');
  const isRemoved = payload.isTrue('deleted');
  const name = refName(ref);
  if (isTag(ref)) {
    const url = isRemoved ? '' : `${payload.text('repository', 'html_url')}/tree/${encodeURIComponent(name)}`;
    return { event: 'push_tags', topic: repository, content: tagged({ actor, tag: name, url, isRemoved }) };
  }
  if (!isWantedBranch(name, parameters.branches)) return FILTERED;
  return {
    event: 'push_commits',
    topic: `${repository} / ${name}`,
    content: pushed({
      actor,
      branch: name,
      compareUrl: payload.text('compare'),
      isForced: payload.isTrue('forced'),
      isRemoved,
      commits: payload.list('commits').map((commit) => ({
        id: commit.text('id'),
        message: commit.text('message'),
        url: commit.text('url'),
        author: commit.text('author', 'username') || commit.text('author', 'name'),
      })),
    }),
  };
}

function ofRepository(payload: Payload, event: string, content: Markdown): Rendered {
  return { event, topic: repositoryOf(payload), content };
}

export function created({ payload }: Delivery): Rendered {
  const [kind, name] = [payload.need('ref_type'), payload.text('ref')];
  return ofRepository(payload, 'create', md`${senderOf(payload)} created ${kind} ${name}.`);
}

export function deleted({ payload }: Delivery): Rendered {
  const [kind, name] = [payload.need('ref_type'), payload.text('ref')];
  return ofRepository(payload, 'delete', md`${senderOf(payload)} deleted ${kind} ${name}.`);
}

export function forked({ payload }: Delivery): Rendered {
  const copy = linkIf(payload.need('forkee', 'full_name'), payload.text('forkee', 'html_url'));
  return ofRepository(payload, 'fork', md`${senderOf(payload)} forked ${copy}.`);
}

export function wiki({ payload }: Delivery): Rendered {
  const pages = payload.list('pages').map((page) => {
    const name = linkIf(page.text('title') || page.text('page_name'), page.text('html_url'));
    return md`${page.text('action') || 'edited'} ${name}`;
  });
  return ofRepository(payload, 'gollum', joined([md`${senderOf(payload)} changed the wiki:`, bullets(pages)], '\n\n'));
}

const MEMBER_VERBS: Readonly<Record<string, string>> = {
  added: 'added',
  edited: 'changed the permissions of',
  removed: 'removed',
};

export function member({ payload }: Delivery): Rendered {
  const name = linkIf(payload.need('member', 'login'), payload.text('member', 'html_url'));
  const action = payload.need('action');
  const verb = wordsFor(action, MEMBER_VERBS, `member.${action}`);
  const permission = action === 'edited' ? payload.text('changes', 'permission', 'to') : '';
  const to = permission === '' ? undefined : md` (now: ${permission})`;
  return ofRepository(payload, 'member', md`${senderOf(payload)} ${verb} the collaborator ${name}${to}.`);
}

export function ping({ payload }: Delivery): Rendered {
  const name = payload.text('repository', 'full_name') || payload.text('organization', 'login');
  const setUp = md`The GitHub webhook${name !== '' && md` of ${name}`} works.`;
  return { event: 'ping', topic: payload.text('repository', 'name') || name || 'GitHub', content: setUp };
}

export function madePublic({ payload }: Delivery): Rendered {
  const name = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  return ofRepository(payload, 'public', md`${senderOf(payload)} made ${name} public.`);
}

const REPOSITORY_VERBS: Readonly<Record<string, string>> = {
  archived: 'archived',
  created: 'created',
  deleted: 'deleted',
  edited: 'edited',
  privatized: 'made',
  publicized: 'made',
  renamed: 'renamed',
  transferred: 'transferred',
  unarchived: 'took',
};
const REPOSITORY_ENDS: Readonly<Record<string, string>> = {
  privatized: 'private',
  publicized: 'public',
  unarchived: 'out of the archive',
};

export function repository({ payload }: Delivery): Rendered {
  const name = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  const action = payload.need('action');
  const verb = wordsFor(action, REPOSITORY_VERBS, `repository.${action}`);
  const [oldName, oldOwner] = [
    payload.text('changes', 'repository', 'name', 'from'),
    payload.text('changes', 'owner', 'from', 'user', 'login') ||
      payload.text('changes', 'owner', 'from', 'organization', 'login'),
  ];
  const end = joined(
    [
      md`${REPOSITORY_ENDS[action] ?? ''}`,
      action === 'renamed' && oldName !== '' && md`(the name was “${oldName}”)`,
      action === 'transferred' && oldOwner !== '' && md`(the owner was ${oldOwner})`,
    ],
    ' ',
  );
  return ofRepository(
    payload,
    'repository',
    md`${joined([senderOf(payload), verb, md`the repository ${name}`, end], ' ')}.`,
  );
}

const STAR_VERBS: Readonly<Record<string, string>> = { created: 'starred', deleted: 'unstarred', started: 'starred' };

/** GitHub calls a star `watch`, too. */
export function star({ payload, header }: Delivery): Rendered {
  const name = linkIf(payload.need('repository', 'full_name'), payload.text('repository', 'html_url'));
  const [event, action] = [header('x-github-event'), payload.text('action') || 'created'];
  const verb = wordsFor(action, STAR_VERBS, `${event}.${action}`);
  return ofRepository(payload, event, md`${senderOf(payload)} ${verb} ${name}.`);
}

export function release({ payload }: Delivery): Outcome {
  const action = payload.need('action');
  if (isIgnored(`release.${action}`)) return { ignored: `release.${action}` };
  if (action !== 'published' && action !== 'edited' && action !== 'deleted')
    throw new UnknownEventError(`release.${action}`);
  const given = payload.needObject('release');
  const name = given.text('name') || given.need('tag_name');
  const tag = given.text('tag_name');
  const title = linkIf(name, given.text('html_url'));
  const head = md`${senderOf(payload)} ${action} release ${title}${tag !== '' && tag !== name && md` for tag ${tag}`}.`;
  return ofRepository(payload, 'release', joined([head, action === 'published' && quote(given.text('body'))], '\n\n'));
}

export function commitComment({ payload }: Delivery): Rendered {
  const id = payload.need('comment', 'commit_id');
  const commit = linkIf(id.slice(0, 11), `${payload.text('repository', 'html_url')}/commit/${id}`);
  const commented = linkIf('commented', payload.text('comment', 'html_url'));
  return ofRepository(
    payload,
    'commit_comment',
    joined([md`${senderOf(payload)} ${commented} on ${commit}:`, quote(payload.text('comment', 'body'))], '\n\n'),
  );
}
