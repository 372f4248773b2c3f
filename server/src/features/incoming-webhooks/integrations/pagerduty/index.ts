import { badRequest } from '@heddle/api/errors.ts';
import { linkIf } from '../../git.ts';
import { type IgnoredEvents, type Integration, type Rendered, type Signed, wordsFor } from '../../integration.ts';
import { bold, cut, joined, md, quote } from '../../markdown.ts';
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

/** The events of version 2, by the names of version 3. */
const VERSION_2: Readonly<Record<string, string>> = {
  'incident.trigger': 'incident.triggered',
  'incident.acknowledge': 'incident.acknowledged',
  'incident.unacknowledge': 'incident.unacknowledged',
  'incident.resolve': 'incident.resolved',
  'incident.assign': 'incident.reassigned',
  'incident.escalate': 'incident.escalated',
  'incident.delegate': 'incident.delegated',
  'incident.annotate': 'incident.annotated',
};

const MAX_ASSIGNEES = 10;
const MAX_MESSAGES = 20;

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
    if (!payload.at('messages').isMissing) return ofVersion2(payload);
    const event = payload.needObject('event');
    const type = event.need('event_type');
    if (Object.hasOwn(IGNORED, type)) return { ignored: type };
    if (type === PING) return { event: PING, topic: 'PagerDuty', content: md`The webhook of PagerDuty works.` };
    const verb = wordsFor(type, VERBS, type);
    return rendered(incidentOf(event, type), verb);
  },
};

/** The header lists one signature for each secret, while PagerDuty changes it. */
function isSigned({ header, body, secret }: Signed): boolean {
  const expected = `v1=${hmacOf(secret, body)}`;
  const given = header('x-pagerduty-signature').split(',').slice(0, 10);
  return given.some((one) => isEqual(one.trim(), expected));
}

interface Incident {
  readonly type: string;
  readonly title: string;
  readonly number: string;
  readonly url: string;
  readonly agent: string;
  readonly service: string;
  readonly assignees: readonly string[];
  readonly urgency: string;
  readonly priority: string;
  /** What a person wrote about it. */
  readonly text: string;
}

/** References begin with the number in some versions: `[#33] A little bump`. */
function titleOf(incident: Payload): string {
  const summary = incident.text('summary').replace(/^\[#\d{1,20}\] /, '');
  return incident.text('title') || summary || incident.need('id');
}

function incidentOf(event: Payload, type: string): Incident {
  const data = event.needObject('data');
  // A note or an update belongs to an incident, which it only names.
  const incident = data.at('incident').isMissing ? data : data.at('incident');
  return {
    type,
    title: titleOf(incident),
    number: incident.text('number'),
    url: incident.text('html_url'),
    agent: event.text('agent', 'summary'),
    service: data.text('service', 'summary'),
    assignees: data.list('assignees').map((one) => one.text('summary')),
    urgency: data.text('urgency'),
    priority: data.text('priority', 'summary'),
    text: data.text('content') || data.text('message'),
  };
}

/** Webhooks of version 2, which PagerDuty still sends for older extensions. A request has one message in practice. */
function ofVersion2(payload: Payload): Rendered {
  const messages = payload.list('messages');
  const all = messages.map((message) => {
    const event = message.need('event');
    const type = wordsFor(event, VERSION_2, event);
    const incident = message.needObject('incident');
    const entry = message.at('log_entries', 0);
    const told: Incident = {
      type,
      title: titleOf(incident),
      number: incident.text('incident_number'),
      url: incident.text('html_url'),
      agent: entry.text('agent', 'summary'),
      service: incident.text('service', 'summary') || incident.text('service', 'name'),
      assignees: incident.list('assignments').map((one) => one.text('assignee', 'summary')),
      urgency: incident.text('urgency'),
      priority: incident.text('priority', 'summary'),
      text: event === 'incident.annotate' ? entry.at('channel').firstText('content', 'summary') : '',
    };
    return rendered(told, wordsFor(type, VERBS, type));
  });
  const [first] = all;
  if (first === undefined) throw badRequest("Malformed payload: 'event' or 'messages' is missing");
  const contents = all.slice(0, MAX_MESSAGES).map(({ content }) => content);
  return { ...first, content: joined(contents, '\n\n') };
}

function rendered(incident: Incident, verb: string): Rendered {
  const { type, title, number, url, agent, service, assignees, urgency, priority, text } = incident;
  const name = linkIf(number === '' ? title : `#${number}: ${title}`, url);
  const people = assignees.filter((one) => one !== '').slice(0, MAX_ASSIGNEES);
  const content = joined(
    [
      md`Incident ${name} was ${bold(verb)}${agent !== '' && md` by ${agent}`}.`,
      joined(
        [
          service !== '' && md`Service: ${service}`,
          people.length > 0 && md`Assigned to: ${people.join(', ')}`,
          urgency !== '' && md`Urgency: ${urgency}`,
          priority !== '' && md`Priority: ${priority}`,
        ],
        ' · ',
      ),
      quote(text),
    ],
    '\n\n',
  );
  // A note has no number of its incident, and belongs in the same topic.
  return { event: type, topic: cut(title, 200), content };
}
