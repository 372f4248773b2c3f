import { linkIf } from '../../git.ts';
import {
  type Delivery,
  type IgnoredEvents,
  type Integration,
  type Outcome,
  type Rendered,
  renderedBy,
} from '../../integration.ts';
import { bold, bullets, cut, joined, type Markdown, md, quote, time } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { gallery } from './gallery.ts';
import { jiraText } from './wiki.ts';

const MAX_ADDRESS_LENGTH = 2000;

/** The events, by `webhookEvent` (https://developer.atlassian.com/server/jira/platform/webhooks/). */
const EVENTS: ReadonlyMap<string, (payload: Payload) => Outcome> = new Map([
  ['jira:issue_created', issueCreated],
  ['jira:issue_deleted', issueDeleted],
  ['jira:issue_updated', issueUpdated],
  ['comment_created', commented],
  ['comment_updated', commented],
  ['comment_deleted', commented],
  ...['created', 'started', 'updated', 'closed', 'deleted'].map((verb) => [`sprint_${verb}`, sprint] as const),
  ...['created', 'released', 'unreleased', 'updated', 'moved', 'deleted'].map(
    (verb) => [`jira:version_${verb}`, version] as const,
  ),
]);

const NOTHING_CHANGED = 'jira:issue_updated without changes';
const IN_ISSUE = 'The event jira:issue_updated reports the same.';
const IN_JIRA = 'People see this in Jira itself.';
const IGNORED: IgnoredEvents = {
  [NOTHING_CHANGED]: 'Nothing changed that people see.',
  attachment_created: IN_ISSUE,
  attachment_deleted: IN_ISSUE,
  board_configuration_changed: IN_JIRA,
  board_created: IN_JIRA,
  board_deleted: IN_JIRA,
  board_updated: IN_JIRA,
  issue_property_deleted: IN_JIRA,
  issue_property_set: IN_JIRA,
  issuelink_created: IN_ISSUE,
  issuelink_deleted: IN_ISSUE,
  'jira:worklog_updated': IN_ISSUE,
  option_attachments_changed: IN_JIRA,
  option_issuelinks_changed: IN_JIRA,
  option_subtasks_changed: IN_JIRA,
  option_timetracking_changed: IN_JIRA,
  option_unassigned_issues_changed: IN_JIRA,
  option_voting_changed: IN_JIRA,
  option_watching_changed: IN_JIRA,
  project_archived: IN_JIRA,
  project_created: IN_JIRA,
  project_deleted: IN_JIRA,
  project_restored_archived: IN_JIRA,
  project_restored_deleted: IN_JIRA,
  project_soft_deleted: IN_JIRA,
  project_updated: IN_JIRA,
  user_created: IN_JIRA,
  user_deleted: IN_JIRA,
  user_updated: IN_JIRA,
  worklog_created: IN_ISSUE,
  worklog_deleted: IN_ISSUE,
  worklog_updated: IN_ISSUE,
};

export const jira: Integration = {
  name: 'jira',
  title: 'Jira',
  gallery,
  events: [...EVENTS.keys()],
  ignored: IGNORED,
  escapesTwice: true,
  isSigned: hmacIn('x-hub-signature', 'sha256='),
  render({ payload }: Delivery) {
    return renderedBy(payload.need('webhookEvent'), EVENTS, IGNORED, payload);
  },
};

function personOf(user: Payload): string {
  return user.text('displayName') || user.text('name') || 'Somebody';
}

/** The id of the issue in an address of the API. Comments of Jira Server have nothing else of their issue. */
function issueIdOf(payload: Payload): string {
  const address = payload.text('comment', 'self').slice(0, MAX_ADDRESS_LENGTH);
  return /\/issue\/(\w{1,40})\/comment\//.exec(address)?.[1] ?? '';
}

/** Without the issue, the topic is made from its id, or from that of the comment. */
function topicOf(payload: Payload): string {
  if (payload.at('issue').isObject) return cut(`${payload.need('issue', 'key')}: ${summaryOf(payload)}`, 200);
  const id = issueIdOf(payload);
  return id === '' ? `Comment ${payload.need('comment', 'id')}` : `Issue ${id}`;
}

function summaryOf(payload: Payload): string {
  return payload.text('issue', 'fields', 'summary');
}

/** The address of the site, from an address of the API; '' if it has another form. */
function siteOf(address: string): string {
  return /^(https?:\/\/[^/]+(?:\/[^/]+)*?)\/rest\/api\//.exec(address.slice(0, MAX_ADDRESS_LENGTH))?.[1] ?? '';
}

/** The issue with a link. */
function issueLink(payload: Payload): Markdown {
  if (!payload.at('issue').isObject) {
    const [site, id] = [siteOf(payload.text('comment', 'self')), issueIdOf(payload)];
    if (id === '') return md`an issue`;
    return linkIf(`issue ${id}`, site === '' ? '' : `${site}/secure/ViewIssue.jspa?id=${encodeURIComponent(id)}`);
  }
  const key = payload.need('issue', 'key');
  const [site, summary] = [siteOf(payload.text('issue', 'self')), summaryOf(payload)];
  return linkIf(
    summary === '' ? key : `${key}: ${summary}`,
    site === '' ? '' : `${site}/browse/${encodeURIComponent(key)}`,
  );
}

function assigneeOf(payload: Payload): Markdown | undefined {
  const assignee = payload.at('issue', 'fields', 'assignee');
  return assignee.isObject ? md` (assigned to ${personOf(assignee)})` : undefined;
}

/** Names of the people in the payload. Mentions have only their ids. */
function namesIn(payload: Payload): ReadonlyMap<string, string> {
  const fields = payload.at('issue', 'fields');
  const comment = payload.at('comment');
  const people = [
    payload.at('user'),
    ...['assignee', 'reporter', 'creator'].map((field) => fields.at(field)),
    ...['author', 'updateAuthor'].map((field) => comment.at(field)),
  ];
  return new Map(
    people.flatMap((person) =>
      ['accountId', 'name', 'key']
        .map((id) => [person.text(id), personOf(person)] as const)
        .filter(([id]) => id !== ''),
    ),
  );
}

function issueCreated(payload: Payload): Rendered {
  const fields = payload.at('issue', 'fields');
  const facts = [
    ['Priority', fields.text('priority', 'name')],
    ['Assignee', fields.text('assignee', 'displayName') || fields.text('assignee', 'name')],
  ].filter(([, value]) => value !== '');
  const head = md`${personOf(payload.at('user'))} created ${issueLink(payload)}:`;
  return {
    event: 'jira:issue_created',
    topic: topicOf(payload),
    content: joined([head, bullets(facts.map(([name, value]) => md`${bold(name ?? '')}: ${value}`))], '\n\n'),
  };
}

function issueDeleted(payload: Payload): Rendered {
  const content = md`${personOf(payload.at('user'))} deleted ${issueLink(payload)}.`;
  return { event: 'jira:issue_deleted', topic: topicOf(payload), content };
}

/** An update with a comment, which Jira Server sends, or with changed fields. */
function issueUpdated(payload: Payload): Outcome {
  const kind = payload.text('issue_event_type_name');
  if (/^issue_comment/.test(kind) || !payload.at('comment').isMissing)
    return commentOf(payload, kind, 'jira:issue_updated');
  const items = payload.list('changelog', 'items');
  const changes = items.flatMap((item) => {
    const field = item.text('field');
    const [from, to] = [shown(field, item.text('fromString')), shown(field, item.text('toString'))];
    if (field === 'description') return [md`Changed ${bold('description')}`];
    if (from === to) return [];
    const before = from === '' ? undefined : md`from ${bold(from)} `;
    return [
      md`Changed ${bold((Object.hasOwn(NAMES, field) ? NAMES[field] : undefined) ?? field)} ${before}to ${bold(to === '' ? 'None' : to)}`,
    ];
  });
  if (changes.length === 0) return { ignored: NOTHING_CHANGED };
  const assignee = items.some((item) => item.text('field') === 'assignee') ? undefined : assigneeOf(payload);
  const head = md`${personOf(payload.at('user'))} updated ${issueLink(payload)}${assignee}:`;
  return { event: 'jira:issue_updated', topic: topicOf(payload), content: joined([head, bullets(changes)], '\n\n') };
}

/** Fields whose names in the payload are no words. */
const NAMES: Readonly<Record<string, string>> = {
  duedate: 'due date',
  issuetype: 'type',
  timeestimate: 'remaining estimate',
  timeoriginalestimate: 'estimate',
  timespent: 'time spent',
};

/** The value of a field as people write it. */
function shown(field: string, value: string): string {
  if (/^time(?:spent|(?:original)?estimate)$/.test(field) && /^\d{1,12}$/.test(value)) return durationOf(Number(value));
  if (/date$/i.test(field) && /^\d{4}-\d\d-\d\d /.test(value)) return value.slice(0, 'YYYY-MM-DD'.length);
  return value;
}

function durationOf(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return [hours > 0 && `${hours} h`, (minutes > 0 || hours === 0) && `${minutes} min`].filter(Boolean).join(' ');
}

function commented(payload: Payload): Rendered {
  const event = payload.need('webhookEvent');
  return commentOf(payload, event, event);
}

function commentOf(payload: Payload, kind: string, event: string): Rendered {
  const comment = payload.needObject('comment');
  const isDeletion = kind.endsWith('deleted');
  const verb = isDeletion
    ? 'deleted a comment on'
    : /edited|updated/.test(kind)
      ? 'edited a comment on'
      : 'commented on';
  const author = personOf(
    [payload.at('user'), comment.at('updateAuthor'), comment.at('author')].find((one) => one.isObject) ??
      comment.at('author'),
  );
  const head = md`${author} ${verb} ${issueLink(payload)}${assigneeOf(payload)}${isDeletion ? '.' : ':'}`;
  const text = isDeletion ? undefined : quote(jiraText(comment.at('body'), namesIn(payload)));
  return { event, topic: topicOf(payload), content: joined([head, text], '\n\n') };
}

function sprint(payload: Payload): Rendered {
  const event = payload.need('webhookEvent');
  const item = payload.needObject('sprint');
  const name = item.need('name');
  const [start, end] = [item.text('startDate'), item.text('endDate')];
  const dates = [start !== '' && md`Starts: ${time(start)}`, end !== '' && md`Ends: ${time(end)}`];
  const head = md`Sprint ${bold(name)} was ${event.replace('sprint_', '')}.`;
  const content = joined([head, joined(dates, ' · '), quote(item.text('goal'))], '\n\n');
  return { event, topic: cut(`Sprint ${name}`, 200), content };
}

function version(payload: Payload): Rendered {
  const event = payload.need('webhookEvent');
  const item = payload.needObject('version');
  const date = item.text('releaseDate');
  const head = md`Version ${bold(item.need('name'))} was ${event.replace('jira:version_', '')}.`;
  const content = joined([head, date !== '' && md`Release date: ${date}`, quote(item.text('description'))], '\n\n');
  return { event, topic: cut(`Version ${item.need('name')}`, 200), content };
}
