/** Runs of workflows: Forgejo has an event for each result, and Gitea one for all of them, as GitHub has. */
import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, FILTERED, type IgnoredEvents, type Outcome, UnknownEventError } from '../../integration.ts';
import { bold, code, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

const RESULT_ONLY = 'Only the result is worth a message.';

export const BUILDS_IGNORED: IgnoredEvents = {
  'workflow_run.in_progress': RESULT_ONLY,
  'workflow_run.requested': RESULT_ONLY,
};

interface Run {
  readonly event: string;
  readonly name: string;
  readonly url: string;
  readonly branch: string;
  readonly result: string;
  readonly repository: string;
}

function told(run: Run, { parameters }: Delivery): Outcome {
  const { event, name, url, branch, result, repository } = run;
  if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
  const of = branch !== '' && md` of ${code(branch)}`;
  return {
    event,
    topic: `${repository} / ${branch || 'workflows'}`,
    content: md`Workflow ${linkIf(name, url)}${of}: ${bold(result.replaceAll('_', ' '))}.`,
  };
}

/** `recover` is a success after a failure. */
const RESULTS: Readonly<Record<string, string>> = {
  action_run_cancelled: 'cancelled',
  action_run_failure: 'failure',
  action_run_recover: 'success after a failure',
  action_run_success: 'success',
};

export const RUN_EVENTS: readonly string[] = Object.keys(RESULTS);

export function actionRun(delivery: Delivery): Outcome {
  const event = delivery.header('x-gitea-event');
  const run = delivery.payload.needObject('run');
  const name = run.text('title') || run.need('workflow_id');
  const branch = run.text('prettyref');
  const repository = run.text('repository', 'name') || delivery.payload.need('repository', 'name');
  return told(
    { event, name, url: run.text('html_url'), branch, result: RESULTS[event] ?? event, repository },
    delivery,
  );
}

export function workflowRun(delivery: Delivery): Outcome {
  const { payload } = delivery;
  const event = `workflow_run.${payload.need('action')}`;
  if (Object.hasOwn(BUILDS_IGNORED, event)) return { ignored: event };
  if (event !== 'workflow_run.completed') throw new UnknownEventError(event);
  const run = payload.needObject('workflow_run');
  return told(
    {
      event: 'workflow_run',
      name: nameOf(payload, run),
      url: run.text('html_url'),
      branch: run.text('head_branch'),
      result: run.text('conclusion') || 'completed',
      repository: payload.need('repository', 'name'),
    },
    delivery,
  );
}

function nameOf(payload: Payload, run: Payload): string {
  const name = payload.text('workflow', 'name') || run.firstText('display_title', 'path') || run.need('id');
  const number = run.text('run_number');
  return number === '' ? name : `${name} #${number}`;
}
