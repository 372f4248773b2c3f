import { linkIf } from '../../git.ts';
import { type IgnoredEvents, type Integration, type Rendered, type Signed, wordsFor } from '../../integration.ts';
import { bold, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacOf, isEqual } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** What happened to the incident, by the type of the event (https://developer.pagerduty.com/docs/webhooks-overview). */
const VERBS: Readonly<Record<string, string>> = {
  'incident.triggered': 'triggered',
  'incident.acknowledged': 'acknowledged',
  'incident.unacknowledged': 'unacknowledged',
  'incident.resolved': 'resolved',
  'incident.reopened': 'reopened',
  'incident.escalated': 'escalated',
  'incident.delegated': 'delegated',
  'incident.reassigned': 'reassigned',
  'incident.priority_updated': 'given another priority',
  'incident.annotated': 'annotated',
  'incident.status_update_published': 'updated',
};

/** What its button for a test sends. */
const PING = 'pagey.ping';

const IN_PAGERDUTY = 'People see this in PagerDuty itself.';
const IGNORED: IgnoredEvents = {
  'incident.action_invocation.created': IN_PAGERDUTY,
  'incident.action_invocation.terminated': IN_PAGERDUTY,
  'incident.action_invocation.updated': IN_PAGERDUTY,
  'incident.conference_bridge.updated': 'The incident itself is the same.',
  'incident.custom_field_values.updated': 'The incident itself is the same.',
  'incident.incident_type.changed': 'The incident itself is the same.',
  'incident.responder.added': 'PagerDuty notifies the responder.',
  'incident.responder.replied': 'PagerDuty notifies those who asked.',
  'incident.role.assigned': 'PagerDuty notifies the person.',
  'incident.service_updated': 'The incident itself is the same.',
  'incident.task.completed': IN_PAGERDUTY,
  'incident.task.created': IN_PAGERDUTY,
  'incident.task.updated': IN_PAGERDUTY,
  'incident.workflow.completed': 'Its steps cause events of their own.',
  'incident.workflow.started': 'Its steps cause events of their own.',
  'service.created': IN_PAGERDUTY,
  'service.custom_field_values.updated': IN_PAGERDUTY,
  'service.deleted': IN_PAGERDUTY,
  'service.updated': IN_PAGERDUTY,
};

export const pagerduty: Integration = {
  name: 'pagerduty',
  title: 'PagerDuty',
  gallery,
  events: [...Object.keys(VERBS), PING].sort(),
  ignored: IGNORED,
  isSigned,
  render({ payload }) {
    const event = payload.needObject('event');
    const type = event.need('event_type');
    if (Object.hasOwn(IGNORED, type)) return { ignored: type };
    if (type === PING) return { event: PING, topic: 'PagerDuty', content: md`The webhook of PagerDuty works.` };
    return rendered(event, type, wordsFor(type, VERBS, type));
  },
};

/** The header lists one signature for each secret, while PagerDuty changes it. */
function isSigned({ header, body, secret }: Signed): boolean {
  const expected = `v1=${hmacOf(secret, body)}`;
  const given = header('x-pagerduty-signature').split(',').slice(0, 10);
  return given.some((one) => isEqual(one.trim(), expected));
}

function rendered(event: Payload, type: string, verb: string): Rendered {
  const data = event.needObject('data');
  // A note or an update belongs to an incident, which it only names.
  const incident = data.at('incident').isMissing ? data : data.at('incident');
  const summary = incident.text('summary').replace(/^\[#\d{1,20}\] /, '');
  const title = incident.text('title') || summary || incident.need('id');
  const number = incident.text('number');
  const name = linkIf(number === '' ? title : `#${number}: ${title}`, incident.text('html_url'));
  const agent = event.text('agent', 'summary');
  const service = data.text('service', 'summary');
  const content = joined(
    [
      md`Incident ${name} was ${bold(verb)}${agent !== '' && md` by ${agent}`}.`,
      joined([service !== '' && md`Service: ${service}`, assigneesOf(data), urgencyOf(data)], ' · '),
      quote(data.text('content') || data.text('message')),
    ],
    '\n\n',
  );
  // A note has no number of its incident, and belongs in the same topic.
  return { event: type, topic: cut(title, 200), content };
}

function assigneesOf(data: Payload): Markdown | undefined {
  const names = data
    .list('assignees')
    .map((one) => one.text('summary'))
    .slice(0, 10);
  return names.length === 0 ? undefined : md`Assigned to: ${names.join(', ')}`;
}

function urgencyOf(data: Payload): Markdown | undefined {
  const urgency = data.text('urgency');
  return urgency === '' ? undefined : md`Urgency: ${urgency}`;
}
