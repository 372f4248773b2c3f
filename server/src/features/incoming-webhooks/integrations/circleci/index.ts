import { durationBetween } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type Integration,
  type Outcome,
  type Rendered,
  renderedBy,
  type Signed,
  wordsFor,
} from '../../integration.ts';
import { bold, code, cut, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacOf, isEqual } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const RESULTS: Readonly<Record<string, string>> = {
  success: '✅ succeeded',
  failed: '❌ failed',
  error: '❌ failed with an error',
  canceled: '⏹️ was canceled',
  unauthorized: '❌ was not authorized',
  infrastructure_fail: '❌ failed because of the infrastructure',
  timedout: '❌ timed out',
  not_run: '⏹️ did not run',
};

const RENDERERS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['workflow-completed', (delivery) => completed(delivery, 'workflow')],
  ['job-completed', (delivery) => completed(delivery, 'job')],
  ['ping', ping],
]);

/** https://circleci.com/docs/webhooks-reference/ */
export const circleci: Integration = {
  name: 'circleci',
  title: 'CircleCI',
  gallery,
  events: [...RENDERERS.keys()],
  ignored: {},
  isSigned,
  render: (delivery) => renderedBy(delivery.payload.need('type'), RENDERERS, {}, delivery),
};

/** The header can list signatures of several versions: `v1=<signature>,v2=…`. */
function isSigned({ header, body, secret }: Signed): boolean {
  const expected = `v1=${hmacOf(secret, body)}`;
  const given = header('circleci-signature').split(',').slice(0, 10);
  return given.some((one) => isEqual(one.trim(), expected));
}

function ping({ payload }: Delivery): Rendered {
  const name = payload.text('webhook', 'name');
  return {
    event: 'ping',
    topic: 'CircleCI',
    content: md`The webhook ${name !== '' && md`${bold(name)} `}of CircleCI works.`,
  };
}

function completed({ payload, parameters }: Delivery, kind: 'workflow' | 'job'): Outcome {
  const item = payload.needObject(kind);
  const name = item.need('name');
  const [icon = '', ...result] = wordsFor(item.need('status'), RESULTS, `${kind} ${item.text('status')}`).split(' ');
  const project = payload.need('project', 'name');
  const source = sourceOf(payload.at('pipeline'));
  if (source.branch !== '' && !isWantedBranch(source.branch, parameters.branches)) return FILTERED;
  const workflow = payload.text('workflow', 'url');
  const number = item.text('number');
  const url = kind === 'workflow' || workflow === '' || number === '' ? workflow : `${workflow}/jobs/${number}`;
  const place =
    source.tag !== ''
      ? md` for tag ${code(source.tag)}`
      : source.branch !== '' && md` on branch ${code(source.branch)}`;
  const head = md`${icon} ${kind === 'workflow' ? 'Workflow' : 'Job'} ${linkIf(name, url)} ${result.join(' ')}${place}.`;
  const duration = durationBetween(item.text(kind === 'job' ? 'started_at' : 'created_at'), item.text('stopped_at'));
  const details = facts([
    ['Workflow', kind === 'job' && payload.text('workflow', 'name')],
    ['Commit', commitLine(source)],
    ['Duration', duration],
  ]);
  return {
    event: `${kind}-completed`,
    topic: cut([project, source.tag || source.branch].filter((part) => part !== '').join(' / '), 200),
    content: joined([head, details], '\n\n'),
  };
}

interface Source {
  readonly branch: string;
  readonly tag: string;
  readonly revision: string;
  readonly title: string;
  readonly author: string;
  readonly commitUrl: string;
}

/** Pipelines of GitLab and of the GitHub app have parameters of their trigger in place of `vcs`. */
function sourceOf(pipeline: Payload): Source {
  const vcs = pipeline.at('vcs');
  const git = pipeline.at('trigger_parameters', 'git');
  const isGitLab = pipeline.at('trigger_parameters', 'gitlab').isObject;
  const trigger = pipeline.at('trigger_parameters', isGitLab ? 'gitlab' : 'github_app');
  const repository = vcs.firstText('target_repository_url', 'origin_repository_url') || trigger.text('web_url');
  const revision = vcs.text('revision') || trigger.firstText('checkout_sha', 'commit_sha') || git.text('checkout_sha');
  const page = isGitLab ? '-/commit' : /\bbitbucket\b/.test(vcs.text('provider_name')) ? 'commits' : 'commit';
  const title = trigger.text('commit_title') || trigger.text('commit_message');
  return {
    branch: vcs.text('branch') || trigger.text('branch') || git.text('branch'),
    tag: vcs.text('tag') || trigger.text('tag') || git.text('tag'),
    revision,
    title: vcs.text('commit', 'subject') || (title.split('\n', 1)[0] ?? ''),
    author: vcs.text('commit', 'author', 'name') || trigger.text('commit_author_name'),
    commitUrl: repository === '' || revision === '' ? '' : `${repository}/${page}/${revision}`,
  };
}

function commitLine({ revision, title, author, commitUrl }: Source): Markdown | undefined {
  if (revision === '') return undefined;
  const commit = linkIf(revision.slice(0, 11), commitUrl);
  return md`${title !== '' && md`${title} `}(${commit})${author !== '' && md` by ${author}`}`;
}
