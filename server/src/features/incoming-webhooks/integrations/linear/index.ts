import {
  type Delivery,
  type IgnoredEvents,
  type Integration,
  type Outcome,
  UnknownEventError,
} from '../../integration.ts';
import { hmacIn } from '../../signatures.ts';
import { comment, document } from './comments.ts';
import { gallery } from './gallery.ts';
import { breached, issue } from './issues.ts';
import { cycle, initiative, project, update } from './projects.ts';

/** The renderers, by the `type` of the payload. Its `action` is create, update or remove. */
const TYPES: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([
  ['Issue', issue],
  ['Comment', comment],
  ['Document', document],
  ['Project', project],
  ['ProjectUpdate', update],
  ['Initiative', initiative],
  ['InitiativeUpdate', update],
  ['Cycle', cycle],
]);
const ACTIONS: readonly string[] = ['create', 'update', 'remove'];
const SLA_ACTIONS: readonly string[] = ['set', 'highRisk', 'breached'];

const IGNORED: IgnoredEvents = {
  'Issue update of other fields': 'The order of issues and their subscribers change often.',
  'Project update of other fields': 'The order of projects changes often.',
  'Document update': 'People edit documents often.',
  'Cycle update': 'Linear counts the issues of a cycle anew whenever one changes.',
  'Initiative update of other fields': 'The order of initiatives changes often.',
  Attachment: 'Attachments come from other programs, such as version control.',
  AuditEntry: 'It is meant for administrators of Linear.',
  Customer: 'Linear also reports the requests of customers as issues.',
  CustomerNeed: 'Linear also reports the requests of customers as issues.',
  IssueLabel: 'It is about the settings of the team.',
  ProjectLabel: 'It is about the settings of the workspace.',
  IssueRelation: 'Linear also reports the issues.',
  ProjectRelation: 'Linear also reports the projects.',
  Reaction: 'People react often.',
  Release: 'Version control reports releases.',
  ReleaseNote: 'Version control reports releases.',
  Team: 'It is about the settings of the workspace.',
  User: 'It is about the settings of the workspace.',
  OAuthAuthorization: 'It is about a program, not about work.',
  OAuthApp: 'It is about a program, not about work.',
  AppUserNotification: 'It is meant for the program of an agent.',
  AgentSessionEvent: 'It is meant for the program of an agent.',
  PermissionChange: 'It is meant for the program of an agent.',
};

/** https://linear.app/developers/webhooks */
export const linear: Integration = {
  name: 'linear',
  title: 'Linear',
  gallery,
  events: [
    ...[...TYPES.keys()].flatMap((type) => ACTIONS.map((action) => `${type} ${action}`)),
    ...SLA_ACTIONS.map((action) => `IssueSLA ${action}`),
  ],
  ignored: IGNORED,
  isSigned: hmacIn('linear-signature'),
  render(delivery) {
    const [type, action] = [delivery.payload.need('type'), delivery.payload.need('action')];
    if (Object.hasOwn(IGNORED, type)) return { ignored: type };
    if (type === 'IssueSLA' && SLA_ACTIONS.includes(action)) return breached(delivery, action);
    const renderer = TYPES.get(type);
    if (renderer === undefined || !ACTIONS.includes(action)) throw new UnknownEventError(`${type} ${action}`);
    return renderer(delivery);
  },
};
