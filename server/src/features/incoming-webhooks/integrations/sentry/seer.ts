/** What Seer finds out about an issue (https://docs.sentry.io/organization/integrations/integration-platform/webhooks/seer/). */
import { linkIf } from '../../git.ts';
import { type IgnoredEvents, type Outcome, type Rendered, renderedBy } from '../../integration.ts';
import { bold, bullets, code, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';

const RESULTS: ReadonlyMap<string, (data: Payload) => Rendered> = new Map([
  ['seer.root_cause_completed', (data) => found(data, 'seer.root_cause_completed', 'the root cause', 'root_cause')],
  ['seer.solution_completed', (data) => found(data, 'seer.solution_completed', 'a solution', 'solution')],
  ['seer.coding_completed', coded],
  ['seer.pr_created', requested],
]);

export const SEER_EVENTS: readonly string[] = [...RESULTS.keys()];

const HAS_RESULT = 'Its result causes an event of its own.';

export const SEER_IGNORED: IgnoredEvents = {
  'seer.coding_started': HAS_RESULT,
  'seer.iteration_completed': 'It is about a pull request, which its own service reports.',
  'seer.iteration_started': HAS_RESULT,
  'seer.root_cause_started': HAS_RESULT,
  'seer.solution_started': HAS_RESULT,
};

export function seer(payload: Payload): Outcome {
  const action = payload.need('action');
  const event = action.startsWith('seer.') ? action : `seer.${action}`;
  return renderedBy(event, RESULTS, SEER_IGNORED, payload.needObject('data'));
}

/** The payload has the number of the issue only. */
function message(data: Payload, event: string, head: (issue: Markdown) => Markdown, details: Markdown): Rendered {
  const issue = data.need('group_id');
  const content = joined([head(md`issue ${code(issue)}`), details], '\n\n');
  return { event, topic: cut(`Seer: issue ${issue}`, 200), content };
}

function found(data: Payload, event: string, what: string, field: string): Rendered {
  const result = data.at(field);
  const steps = result.list('steps').map((step) => step.text('title'));
  const list = bullets(steps.filter((step) => step !== '').map((step) => md`${step}`));
  const details = joined([quote(result.text('description')), list], '\n\n');
  return message(data, event, (issue) => md`Seer found ${what} of ${issue}:`, details);
}

function coded(data: Payload): Rendered {
  const changes = data.list('changes').map((change) => {
    const [repository, branch] = [change.text('repo_name'), change.text('branch_name')];
    const place = joined([repository, branch !== '' && code(branch)], ', ');
    const title = bold(change.text('title'));
    return joined([joined([title, place.toString() !== '' && md`(${place})`], ' '), change.text('description')], ': ');
  });
  return message(data, 'seer.coding_completed', (issue) => md`Seer wrote a change for ${issue}.`, bullets(changes));
}

function requested(data: Payload): Rendered {
  const requests = data.list('pull_requests').map((one) => {
    const number = one.text('pull_request', 'pr_number');
    const name = number === '' ? 'Pull request' : `#${number}`;
    const repository = one.text('repo_name');
    return md`${linkIf(name, one.text('pull_request', 'pr_url'))}${repository !== '' && md` in ${repository}`}`;
  });
  return message(data, 'seer.pr_created', (issue) => md`Seer opened a pull request for ${issue}.`, bullets(requests));
}
