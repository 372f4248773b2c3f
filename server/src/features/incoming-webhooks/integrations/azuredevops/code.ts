/** Pushes, and builds of them. */
import { durationBetween } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { isNoCommit, isTag, linkIf, pushed, refName, tagged } from '../../git.ts';
import { type Delivery, FILTERED, type Outcome, wordsFor } from '../../integration.ts';
import { code, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import { nameIn, pageOf } from './common.ts';

export function push({ payload, parameters }: Delivery): Outcome {
  const resource = payload.needObject('resource');
  const repository = resource.needObject('repository');
  const page = pageOf(repository);
  const actor = nameIn(resource.at('pushedBy')) || 'Somebody';
  const commits = resource.list('commits').map((commit) => ({
    id: commit.text('commitId'),
    message: commit.text('comment'),
    url: page === '' ? '' : `${page}/commit/${encodeURIComponent(commit.text('commitId'))}`,
    author: commit.text('author', 'name'),
  }));
  const parts: Markdown[] = [];
  const branches: string[] = [];
  const updates = resource.list('refUpdates').slice(0, 20);
  if (updates.length === 0) resource.needObject('refUpdates', 0);
  for (const update of updates) {
    const ref = update.need('name');
    const name = refName(ref);
    const [before, after] = [update.text('oldObjectId'), update.text('newObjectId')];
    const isRemoved = isNoCommit(after);
    if (isTag(ref)) {
      const url = isRemoved || page === '' ? '' : `${page}?version=GT${encodeURIComponent(name)}`;
      parts.push(tagged({ actor, tag: name, url, isRemoved }));
    } else if (isWantedBranch(name, parameters.branches)) {
      branches.push(name);
      const changes = `branchCompare?baseVersion=GC${before}&targetVersion=GC${after}&_a=files`;
      const url = isNoCommit(before) ? `?version=GB${encodeURIComponent(name)}` : `/${changes}`;
      parts.push(
        pushed({
          actor,
          branch: name,
          compareUrl: isRemoved || page === '' ? '' : `${page}${url}`,
          // The list is about the whole push.
          commits: branches.length === 1 && !isRemoved ? commits : [],
          isRemoved,
        }),
      );
    }
  }
  if (parts.length === 0) return FILTERED;
  const topic = branches.length === 1 ? `${repository.need('name')} / ${branches[0]}` : repository.need('name');
  return { event: 'git.push', topic: cut(topic, 200), content: joined(parts, '\n\n') };
}

export function checkin({ payload }: Delivery): Outcome {
  const resource = payload.needObject('resource');
  const id = resource.need('changesetId');
  const actor = nameIn(resource.at('checkedInBy')) || nameIn(resource.at('author')) || 'Somebody';
  const head = md`${actor} checked in the changeset ${id}`;
  const text = quote(resource.text('comment'));
  const content = text.toString() === '' ? md`${head}.` : joined([md`${head}:`, text], '\n\n');
  return { event: 'tfvc.checkin', topic: 'Changesets', content };
}

const RESULTS: Readonly<Record<string, string>> = {
  succeeded: '✅ succeeded',
  partiallysucceeded: '⚠️ succeeded partially',
  failed: '❌ failed',
  canceled: '⏹️ was canceled',
  stopped: '⏹️ was stopped',
};

export function build({ payload, parameters }: Delivery): Outcome {
  const resource = payload.needObject('resource');
  const branch = refName(resource.text('sourceBranch'));
  if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
  const pipeline = resource.text('definition', 'name') || 'Build';
  // Older versions have the result as the status.
  const result = resource.text('result') || resource.need('status');
  const [icon = '', ...words] = wordsFor(result.toLowerCase(), RESULTS, `build ${result}`).split(' ');
  const page = resource.text('_links', 'web', 'href');
  const number = linkIf(resource.need('buildNumber'), page);
  const requester = nameIn(resource.at('requestedFor')) || nameIn(resource.at('requests', 0, 'requestedFor'));
  const details = facts([
    ['Branch', branch !== '' && code(branch)],
    ['Commit', code(resource.text('sourceVersion').slice(0, 11))],
    ['Requested for', requester],
    ['Duration', durationBetween(resource.text('startTime'), resource.text('finishTime'))],
  ]);
  const content = joined([md`${icon} Build ${number} of ${pipeline} ${words.join(' ')}.`, details], '\n\n');
  return { event: 'build.complete', topic: cut(branch === '' ? pipeline : `${pipeline} / ${branch}`, 200), content };
}
