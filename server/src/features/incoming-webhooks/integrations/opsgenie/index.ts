import { moment } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { type Integration, wordsFor } from '../../integration.ts';
import { bold, cut, joined, link, type MarkdownValue, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/ */
const VERBS: Readonly<Record<string, string>> = {
  Create: 'created',
  Acknowledge: 'acknowledged',
  UnAcknowledge: 'no longer acknowledges',
  Close: 'closed',
  Delete: 'deleted',
  AddNote: 'added a note to',
  AddTags: 'added tags to',
  RemoveTags: 'removed tags from',
  AddDetails: 'added details to',
  RemoveDetails: 'removed details from',
  AddRecipient: 'added a recipient to',
  AddTeam: 'added a team to',
  AddResponder: 'added a responder to',
  TakeOwnership: 'took over',
  AssignOwnership: 'assigned',
  Escalate: 'escalated',
  EscalateNext: 'escalated',
  EscalateToNext: 'escalated',
  Snooze: 'snoozed',
  SnoozeEnded: 'ended the pause of',
  UpdatePriority: 'changed the priority of',
  UpdateMessage: 'changed the message of',
  UpdateDescription: 'changed the description of',
  TestAction: 'tested',
};
const ICONS: Readonly<Record<string, string>> = { Create: '🚨', Acknowledge: '👀', Close: '✅', Escalate: '⚠️' };
const PRIORITIES: Readonly<Record<string, string>> = {
  P1: 'P1 (critical)',
  P2: 'P2 (high)',
  P3: 'P3 (moderate)',
  P4: 'P4 (low)',
  P5: 'P5 (informational)',
};

export const opsgenie: Integration = {
  name: 'opsgenie',
  title: 'Opsgenie',
  gallery,
  events: Object.keys(VERBS),
  ignored: {},
  isSigned: isBearer,
  render({ payload }) {
    const action = payload.need('action');
    const verb = wordsFor(action, VERBS, action);
    const alert = payload.needObject('alert');
    const id = alert.need('alertId');
    const message = alert.text('message') || alert.text('alias') || id;
    const number = alert.text('tinyId');
    const url = `https://app.opsgenie.com/alert/detail/${encodeURIComponent(id)}/details`;
    const name = link(number === '' ? message : `#${number}: ${message}`, url);
    const actor = alert.text('username') || payload.text('source', 'name') || 'Opsgenie';
    const icon = Object.hasOwn(ICONS, action) && ICONS[action];
    const head = joined([icon, md`${actor} ${bold(verb)} alert ${name}.`], ' ');
    const texts =
      action === 'AddNote'
        ? alert.text('note')
        : action === 'Create' || action === 'UpdateDescription'
          ? alert.text('description')
          : '';
    return {
      event: action,
      topic: cut(message, 200),
      content: joined([head, quote(texts), facts(factsOf(payload, alert, action))], '\n\n'),
    };
  },
};

function factsOf(payload: Payload, alert: Payload, action: string): readonly (readonly [string, MarkdownValue])[] {
  const names = (field: string) =>
    alert
      .list(field)
      .slice(0, 20)
      .map((one) => one.text() || one.text('name'))
      .filter((name) => name !== '')
      .join(', ');
  const isNew = action === 'Create' || action === 'TestAction';
  const priority = alert.text('priority');
  const details = isNew
    ? alert
        .fields('details')
        .slice(0, 10)
        .map(([name, value]) => [name, value] as const)
    : [];
  return [
    [
      'Priority',
      (isNew || action === 'UpdatePriority') && (Object.hasOwn(PRIORITIES, priority) ? PRIORITIES[priority] : priority),
    ],
    ['Before', action === 'UpdatePriority' && alert.text('oldPriority')],
    ['Tags added', alert.text('addedTags').split(',').join(', ')],
    ['Tags removed', alert.text('removedTags').split(',').join(', ')],
    ['Note', action !== 'AddNote' && alert.text('note')],
    ['Recipient', alert.text('recipient')],
    ['Team', alert.text('team')],
    ['Responder', alert.text('responder', 'name') || alert.text('responder')],
    ['Owner', /Ownership$/.test(action) && alert.text('owner')],
    ['Escalation', payload.text('escalationName') || payload.text('escalation', 'name')],
    ['Until', action === 'Snooze' && moment(alert.number('snoozeEndDate') ?? alert.text('snoozeEndDate'))],
    ['Entity', isNew && alert.text('entity')],
    ['Tags', isNew && names('tags')],
    ['Integration', isNew && payload.text('integrationName')],
    ...details,
  ];
}
