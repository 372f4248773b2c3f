import { facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import {
  type Delivery,
  type IgnoredEvents,
  type Integration,
  type Outcome,
  type Rendered,
  renderedBy,
  wordsFor,
} from '../../integration.ts';
import { bold, code, codeBlock, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { gallery } from './gallery.ts';
import { SEER_EVENTS, SEER_IGNORED, seer } from './seer.ts';

/** Frames of a stack that the message shows: those closest to the error. */
const MAX_FRAMES = 5;

/** The events, by the header `Sentry-Hook-Resource` (https://docs.sentry.io/organization/integrations/integration-platform/webhooks/). */
const EVENTS: ReadonlyMap<string, (payload: Payload) => Outcome> = new Map([
  ['event_alert', (payload) => eventOf(payload.needObject('data', 'event'), payload.text('data', 'triggered_rule'))],
  ['error', (payload) => eventOf(payload.needObject('data', 'error'), '')],
  ['activity_alert', activityAlert],
  ['issue', issue],
  ['metric_alert', metricAlert],
  ['comment', comment],
  ['seer', seer],
]);

const IGNORED: IgnoredEvents = {
  installation: 'It is about the settings of Sentry.',
  ...SEER_IGNORED,
};

export const sentry: Integration = {
  name: 'sentry',
  title: 'Sentry',
  gallery,
  events: ['activity_alert', 'comment', 'event', 'issue', 'metric_alert', ...SEER_EVENTS],
  ignored: IGNORED,
  isSigned: hmacIn('sentry-hook-signature'),
  render({ payload, header }: Delivery) {
    const resource = header('sentry-hook-resource');
    if (resource !== '') return renderedBy(resource, EVENTS, IGNORED, payload);
    // The older plugin sends no such header.
    payload.needObject('event');
    return ofPlugin(payload);
  },
};

function eventOf(event: Payload, rule: string): Rendered {
  const title = event.text('title') || event.text('message') || event.need('event_id');
  const exception = event.at('exception', 'values', Math.max(0, event.count('exception', 'values') - 1));
  const details = facts([
    ['Level', event.text('level')],
    ['Environment', event.text('environment')],
    ['Release', event.text('release')],
    ['Culprit', event.text('culprit')],
    ['Alert rule', rule],
  ]);
  const name = linkIf(title, event.text('web_url') || event.text('url'));
  return {
    event: 'event',
    topic: cut(title, 200),
    content: joined(
      [exception.isMissing ? md`New event: ${name}` : md`New exception: ${name}`, details, stackOf(exception)],
      '\n\n',
    ),
  };
}

/** The newest frames come last. */
function stackOf(exception: Payload): Markdown | undefined {
  const frames = exception.list('stacktrace', 'frames');
  const lines = frames.slice(-MAX_FRAMES).map((frame) => {
    const place = `${frame.text('filename') || frame.text('abs_path')}:${frame.text('lineno')}`;
    return `${cut(place, 200)} in ${cut(frame.text('function'), 100)}\n    ${cut(frame.text('context_line').trim(), 200)}`.trimEnd();
  });
  return lines.length === 0 ? undefined : codeBlock('text', lines.join('\n'));
}

const ISSUE_VERBS: Readonly<Record<string, string>> = {
  created: 'was created',
  resolved: 'was resolved',
  assigned: 'was assigned',
  ignored: 'was ignored',
  archived: 'was archived',
  unresolved: 'is unresolved again',
};

function issue(payload: Payload): Outcome {
  const action = payload.need('action');
  const verb = wordsFor(action, ISSUE_VERBS, `issue.${action}`);
  const item = payload.needObject('data', 'issue');
  const title = item.need('title');
  const assignee = item.text('assignedTo', 'name') || item.text('assignedTo', 'email');
  const to = action === 'assigned' && assignee !== '' ? md` to ${assignee}` : undefined;
  const actor = payload.text('actor', 'name');
  const by = action !== 'created' && actor !== '' ? md` by ${actor}` : undefined;
  const substatus = action === 'unresolved' ? item.text('substatus').replaceAll('_', ' ') : '';
  const head = md`Issue ${issueLink(item)} ${verb}${substatus !== '' && md` (${substatus})`}${to}${by}.`;
  const details = action === 'created' && factsOf(item);
  return { event: 'issue', topic: cut(title, 200), content: joined([head, details], '\n\n') };
}

function issueLink(item: Payload): Markdown {
  return linkIf(item.need('title'), item.text('web_url') || item.text('permalink'));
}

function factsOf(item: Payload): Markdown {
  return facts([
    ['Project', item.text('project', 'name') || item.text('project', 'slug')],
    ['Level', item.text('level')],
    ['Culprit', item.text('culprit')],
  ]);
}

/** An alert rule that waits for changes of issues. */
function activityAlert(payload: Payload): Rendered {
  const item = payload.needObject('data', 'issue');
  const rule = payload.text('data', 'triggered_rule');
  const head = md`Alert${rule !== '' && md` of the rule ${bold(rule)}`}: issue ${issueLink(item)}.`;
  const content = joined([head, factsOf(item)], '\n\n');
  return { event: 'activity_alert', topic: cut(item.need('title'), 200), content };
}

function metricAlert(payload: Payload): Rendered {
  const title = payload.need('data', 'description_title');
  const name = linkIf(title, payload.text('data', 'web_url'));
  const content = md`${bold(payload.need('action'))}: ${name}. ${payload.text('data', 'description_text').replaceAll('\\n', ' ')}`;
  const rule = payload.text('data', 'metric_alert', 'alert_rule', 'name');
  return { event: 'metric_alert', topic: cut(rule || title, 200), content };
}

const COMMENT_VERBS: Readonly<Record<string, string>> = { created: 'created', updated: 'edited', deleted: 'deleted' };

function comment(payload: Payload): Rendered {
  const action = payload.need('action');
  const verb = wordsFor(action, COMMENT_VERBS, `comment ${action}`);
  const end = action === 'deleted' ? '.' : ':';
  const head = md`${payload.text('actor', 'name') || 'Somebody'} ${verb} a comment on issue ${code(payload.text('data', 'issue_id'))}${end}`;
  const project = payload.text('data', 'project_slug');
  return {
    event: 'comment',
    topic: project === '' ? 'Sentry' : project,
    content: joined([head, action !== 'deleted' && quote(payload.text('data', 'comment'))], '\n\n'),
  };
}

function ofPlugin(payload: Payload): Rendered {
  const { event, topic, content } = eventOf(payload.at('event'), '');
  const url = payload.text('url');
  const project = payload.text('project_name') || payload.text('project');
  return { event, topic, content: joined([md`${linkIf(project || 'Sentry', url)}`, content], '\n\n') };
}
