/** Builds, deployments and statuses of commits. */
import { linkIf } from '../../git.ts';
import { type Delivery, type Outcome, type Rendered, UnknownEventError, wordsFor } from '../../integration.ts';
import { bold, code, joined, md, quote } from '../../markdown.ts';
import { inWords, repositoryOf, senderOf } from './common.ts';
import { isIgnored } from './ignored.ts';

export function status({ payload }: Delivery): Rendered {
  const id = payload.need('sha').slice(0, 11);
  const state = payload.need('state');
  const text = payload.text('description') || payload.text('context');
  const commit = linkIf(id, payload.text('commit', 'html_url'));
  return {
    event: 'status',
    topic: repositoryOf(payload),
    content: md`${commit} changed its status to ${linkIf(inWords(state), payload.text('target_url'))}${text !== '' && md`: ${text}`}`,
  };
}

export function checkRun({ payload }: Delivery): Outcome {
  const event = `check_run.${payload.need('action')}`;
  if (isIgnored(event)) return { ignored: event };
  if (event !== 'check_run.completed') throw new UnknownEventError(event);
  const run = payload.needObject('check_run');
  const id = run.text('head_sha').slice(0, 11);
  const commitUrl = `${payload.text('repository', 'html_url')}/commit/${run.text('head_sha')}`;
  const name = linkIf(run.need('name'), run.text('html_url'));
  return {
    event: 'check_run',
    topic: `${repositoryOf(payload)} / checks`,
    content: md`Check ${name} ${bold(inWords(run.text('conclusion') || 'completed'))} for ${linkIf(id, commitUrl)}.`,
  };
}

export function workflowRun({ payload }: Delivery): Outcome {
  const event = `workflow_run.${payload.need('action')}`;
  if (isIgnored(event)) return { ignored: event };
  if (event !== 'workflow_run.completed') throw new UnknownEventError(event);
  const run = payload.needObject('workflow_run');
  const name = linkIf(
    `${run.text('name') || run.text('path') || run.need('id')} #${run.text('run_number')}`,
    run.text('html_url'),
  );
  const result = run.text('conclusion') || 'completed';
  return {
    event: 'workflow_run',
    topic: `${repositoryOf(payload)} / ${run.text('head_branch') || 'workflows'}`,
    content: md`Workflow ${name} of ${code(run.text('head_branch'))}: ${bold(inWords(result))}.`,
  };
}

export function deployment({ payload }: Delivery): Rendered {
  const { environment, ref } = deployedOf(payload.needObject('deployment'));
  return {
    event: 'deployment',
    topic: `${repositoryOf(payload)} / deployment on ${environment}`,
    content: md`${senderOf(payload)} created a deployment of ${code(ref)} to ${environment}.`,
  };
}

export function deploymentStatus({ payload }: Delivery): Rendered {
  const { environment, ref } = deployedOf(payload.needObject('deployment'));
  const given = payload.needObject('deployment_status');
  const state = linkIf(inWords(given.need('state')), given.firstText('log_url', 'target_url', 'environment_url'));
  const head = md`The deployment of ${code(ref)} to ${environment} changed its status to ${state}`;
  const text = given.text('description');
  return {
    event: 'deployment_status',
    topic: `${repositoryOf(payload)} / deployment on ${environment}`,
    content: text === '' ? md`${head}.` : md`${head}: ${text}`,
  };
}

function deployedOf(deployed: Delivery['payload']) {
  return { environment: deployed.text('environment') || 'production', ref: deployed.text('ref') };
}

/** The website of a repository. */
export function pageBuild({ payload }: Delivery): Outcome {
  const build = payload.needObject('build');
  const status = build.need('status');
  if (isIgnored(`page_build.${status}`)) return { ignored: `page_build.${status}` };
  if (status !== 'errored') throw new UnknownEventError(`page_build.${status}`);
  const id = build.text('commit').slice(0, 11);
  const commitUrl = `${payload.text('repository', 'html_url')}/commit/${build.text('commit')}`;
  const of = id === '' ? undefined : md` of ${linkIf(id, commitUrl)}`;
  const pusher = build.text('pusher', 'login');
  const by = pusher === '' ? undefined : md`, pushed by ${pusher}`;
  return {
    event: 'page_build',
    topic: `${repositoryOf(payload)} / pages`,
    content: joined(
      [md`The build of GitHub Pages${of} ${bold('failed')}${by}.`, quote(build.text('error', 'message'))],
      '\n\n',
    ),
  };
}

const REVIEW_VERBS: Readonly<Record<string, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  requested: 'asks for a review of',
};

/** Somebody must approve a deployment before it begins. */
export function deploymentReview({ payload }: Delivery): Rendered {
  const action = payload.need('action');
  const verb = wordsFor(action, REVIEW_VERBS, `deployment_review.${action}`);
  const actor = payload.text(action === 'requested' ? 'requestor' : 'approver', 'login') || senderOf(payload);
  const environment =
    payload.text('environment') || payload.text('workflow_job_run', 'environment') || 'an environment';
  const run = linkIf(payload.text('workflow_run', 'name') || 'a workflow', payload.text('workflow_run', 'html_url'));
  return {
    event: 'deployment_review',
    topic: `${repositoryOf(payload)} / deployment on ${environment}`,
    content: joined(
      [md`${actor} ${verb} the deployment of ${run} to ${environment}.`, quote(payload.text('comment'))],
      '\n\n',
    ),
  };
}
