import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, FILTERED, type Outcome, type Rendered, UnknownEventError } from '../../integration.ts';
import { bold, bullets, joined, md, quote } from '../../markdown.ts';
import { inWords, projectOf } from './common.ts';
import { RUNNING_PIPELINE } from './ignored.ts';

const RESULTS: ReadonlySet<string> = new Set(['success', 'failed', 'canceled', 'skipped', 'manual']);
/** States before the result. */
const RUNNING: ReadonlySet<string> = new Set([
  'canceling',
  'created',
  'pending',
  'preparing',
  'running',
  'scheduled',
  'waiting_for_callback',
  'waiting_for_resource',
]);

export function job({ payload, header }: Delivery): Rendered {
  const name = payload.need('build_name');
  const project = payload.text('repository', 'name') || payload.need('project_name');
  const page = payload.text('repository', 'homepage') || payload.text('project', 'web_url');
  const url = page === '' ? '' : `${page}/-/jobs/${payload.text('build_id')}`;
  return {
    event: header('x-gitlab-event'),
    topic: `${project} / ${payload.text('ref')}`,
    content: md`Build ${linkIf(name, url)} from stage ${payload.text('build_stage')}: ${bold(inWords(payload.need('build_status')))}.`,
  };
}

export function pipeline({ payload, parameters }: Delivery): Outcome {
  const of = payload.needObject('object_attributes');
  const status = of.need('status');
  // A pipeline has an event for each state that it passes. Only its results are worth a message.
  if (RUNNING.has(status)) return { ignored: RUNNING_PIPELINE };
  if (!RESULTS.has(status)) throw new UnknownEventError(`Pipeline Hook ${status}`);
  const branch = of.text('ref');
  if (!isWantedBranch(branch, parameters.branches)) return FILTERED;
  const page = payload.text('project', 'web_url');
  const name = linkIf(`Pipeline (${of.need('id')})`, page === '' ? '' : `${page}/-/pipelines/${of.text('id')}`);
  const jobs = payload.list('builds').map((build) => {
    const url = page === '' ? '' : `${page}/-/jobs/${build.text('id')}`;
    return md`${linkIf(build.text('name'), url)} - ${inWords(build.text('status'))}`;
  });
  return {
    event: 'Pipeline Hook',
    topic: `${projectOf(payload)} / ${branch}`,
    content: joined([md`${name} of ${branch}: ${bold(status)}.`, bullets(jobs)], '\n\n'),
  };
}

export function deployment({ payload }: Delivery): Rendered {
  const environment = payload.text('environment') || 'production';
  const job = linkIf(inWords(payload.need('status')), payload.text('deployable_url'));
  const commit = linkIf(payload.text('short_sha'), payload.text('commit_url'));
  // Of an approval or a rejection.
  const approver = payload.at('approver').firstText('name', 'username');
  const head = md`The deployment of ${commit} to ${environment}: ${job}${approver !== '' && md` by ${approver}`}.`;
  return {
    event: 'Deployment Hook',
    topic: `${projectOf(payload)} / deployment on ${environment}`,
    content: joined([head, quote(payload.text('approval', 'comment'))], '\n\n'),
  };
}
