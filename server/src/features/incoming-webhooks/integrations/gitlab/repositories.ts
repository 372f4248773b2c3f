import { isWantedBranch } from '../../filters.ts';
import { isNoCommit, linkIf, pushed, refName, tagged } from '../../git.ts';
import { type Delivery, FILTERED, type Outcome, type Rendered, wordsFor } from '../../integration.ts';
import { joined, md, quote } from '../../markdown.ts';
import { actorOf, projectOf } from './common.ts';

export function push({ payload, parameters }: Delivery): Outcome {
  const branch = refName(payload.need('ref'));
  if (!isWantedBranch(branch, parameters.branches)) return FILTERED;
  const [before, after] = [payload.text('before'), payload.need('after')];
  const page = payload.text('project', 'web_url');
  const hasBoth = page !== '' && !isNoCommit(before) && !isNoCommit(after);
  return {
    event: 'Push Hook',
    topic: `${projectOf(payload)} / ${branch}`,
    content: pushed({
      actor: actorOf(payload),
      branch,
      compareUrl: hasBoth ? `${page}/-/compare/${before}...${after}` : '',
      isRemoved: isNoCommit(after),
      count: payload.number('total_commits_count') ?? payload.count('commits'),
      commits: payload.list('commits').map((commit) => ({
        id: commit.text('id'),
        message: commit.text('message'),
        url: commit.text('url'),
        author: commit.text('author', 'name'),
      })),
    }),
  };
}

export function tagPush({ payload }: Delivery): Rendered {
  const tag = refName(payload.need('ref'));
  const isRemoved = isNoCommit(payload.need('after'));
  const page = payload.text('project', 'web_url');
  const url = isRemoved || page === '' ? '' : `${page}/-/tags/${encodeURIComponent(tag)}`;
  return {
    event: 'Tag Push Hook',
    topic: projectOf(payload),
    content: tagged({ actor: actorOf(payload), tag, url, isRemoved }),
  };
}

const WIKI_VERBS: Readonly<Record<string, string>> = { create: 'created', update: 'updated', delete: 'deleted' };

export function wikiPage({ payload }: Delivery): Outcome {
  const page = payload.needObject('object_attributes');
  const action = page.need('action');
  const verb = wordsFor(action, WIKI_VERBS, `Wiki Page Hook ${action}`);
  const name = linkIf(page.text('title'), page.text('url'));
  return {
    event: `Wiki Page Hook ${action}`,
    topic: projectOf(payload),
    content: md`${actorOf(payload)} ${verb} the wiki page ${name}.`,
  };
}

const RELEASE_VERBS: Readonly<Record<string, string>> = {
  create: 'was published',
  delete: 'was deleted',
  update: 'was updated',
};

export function release({ payload }: Delivery): Rendered {
  const action = payload.text('action') || 'create';
  const name = linkIf(payload.text('name') || payload.need('tag'), payload.text('url'));
  const verb = wordsFor(action, RELEASE_VERBS, `Release Hook ${action}`);
  const head = md`Release ${name} of ${projectOf(payload)} ${verb}.`;
  return {
    event: 'Release Hook',
    topic: projectOf(payload),
    content: joined([head, action === 'create' && quote(payload.text('description'))], '\n\n'),
  };
}

export function featureFlag({ payload }: Delivery): Rendered {
  const flag = payload.needObject('object_attributes');
  const state = flag.isTrue('active') ? 'activated' : 'deactivated';
  return {
    event: 'Feature Flag Hook',
    topic: projectOf(payload),
    content: md`${actorOf(payload)} ${state} the feature flag ${flag.need('name')}.`,
  };
}
