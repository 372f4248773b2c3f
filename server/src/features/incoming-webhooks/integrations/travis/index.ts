import { durationInWords } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, FILTERED, type Integration, type Outcome, wordsFor } from '../../integration.ts';
import { bold, code, cut, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';

/** By the message of the status, in lower case. */
const RESULTS: Readonly<Record<string, string>> = {
  pending: '🔨 started',
  passed: '✅ passed',
  fixed: '✅ is fixed',
  failed: '❌ failed',
  broken: '❌ is broken',
  'still failing': '❌ still fails',
  errored: '❌ ended with an error',
  canceled: '⏹️ was canceled',
};
/** What caused the build. */
const TYPES: Readonly<Record<string, string>> = {
  api: 'api',
  cron: 'cron',
  pull_request: 'pull_request',
  push: 'push',
};

/** https://docs.travis-ci.com/user/notifications/#configuring-webhook-notifications */
export const travis: Integration = {
  name: 'travis',
  title: 'Travis CI',
  gallery,
  events: Object.keys(TYPES),
  ignored: {},
  render,
};

function render({ payload, parameters }: Delivery): Outcome {
  const type = payload.need('type');
  const event = wordsFor(type, TYPES, type);
  const branch = payload.text('branch');
  if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
  const repository = payload.need('repository', 'name');
  const status = payload.need('status_message');
  const [icon = '', ...result] = wordsFor(status.toLowerCase(), RESULTS, `status ${status}`).split(' ');
  const tag = payload.text('tag');
  const request = payload.text('pull_request_number');
  const build = linkIf(`#${payload.need('number')}`, payload.text('build_url'));
  const place = tag !== '' ? md` for tag ${code(tag)}` : branch !== '' && md` on branch ${code(branch)}`;
  const head = md`${icon} Build ${build} of ${repository}${place} ${bold(result.join(' '))}.`;
  const title = payload.text('pull_request_title');
  const seconds = payload.number('duration');
  const details = facts([
    ['Pull request', request !== '' && `#${request} ${title}`.trim()],
    ['Commit', commitOf(payload)],
    ['Duration', status.toLowerCase() !== 'pending' && durationInWords(seconds)],
  ]);
  const where = request === '' ? tag || branch : `PR #${request}`;
  return {
    event,
    topic: cut([repository, where].filter((part) => part !== '').join(' / '), 200),
    content: joined([head, details], '\n\n'),
  };
}

function commitOf(payload: Payload): Markdown | undefined {
  const id = payload.text('commit');
  if (id === '') return undefined;
  const [title = ''] = payload.text('message').split('\n', 1);
  const author = payload.text('author_name');
  const commit = linkIf(id.slice(0, 11), payload.text('compare_url'));
  return md`${title !== '' && md`${title} `}(${commit})${author !== '' && md` by ${author}`}`;
}
