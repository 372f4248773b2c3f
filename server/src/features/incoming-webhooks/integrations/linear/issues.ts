import { dayInWords, moment } from '../../dates.ts';
import { type Change, changes, facts } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, type Outcome, wordsFor } from '../../integration.ts';
import { bold, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { actorOf, issueNameOf, topicOf, urlOf, VERBS } from './common.ts';

const PRIORITIES: Readonly<Record<string, string>> = {
  0: 'No priority',
  1: 'Urgent',
  2: 'High',
  3: 'Medium',
  4: 'Low',
};

export function issue({ payload }: Delivery): Outcome {
  const action = payload.need('action');
  const data = payload.needObject('data');
  const name = issueNameOf(data, urlOf(payload));
  if (name.title === '') data.need('title');
  const event = `Issue ${action}`;
  const url = action === 'remove' ? '' : urlOf(payload);
  const what = md`issue ${linkIf(`${name.identifier} ${name.title}`.trim(), url)}`;
  const topic = topicOf(name);
  if (action === 'update') {
    const list = changesOf(data, payload.at('updatedFrom'));
    if (list.toString() === '') return { ignored: 'Issue update of other fields' };
    return { event, topic, content: joined([md`${actorOf(payload)} updated ${what}:`, list], '\n\n') };
  }
  const head = md`${actorOf(payload)} ${wordsFor(action, VERBS, event)} ${what}${action === 'create' ? ':' : '.'}`;
  const details = action === 'create' && joined([quote(data.text('description')), factsOf(data)], '\n\n');
  return { event, topic, content: joined([head, details], '\n\n') };
}

function labelsOf(data: Payload): string {
  return data
    .list('labels')
    .slice(0, 20)
    .map((label) => label.text('name'))
    .filter((name) => name !== '')
    .join(', ');
}

function priorityOf(data: Payload): string {
  const priority = data.text('priority');
  return data.text('priorityLabel') || (Object.hasOwn(PRIORITIES, priority) ? (PRIORITIES[priority] ?? '') : '');
}

function factsOf(data: Payload): Markdown {
  return facts([
    ['Status', data.text('state', 'name')],
    ['Priority', priorityOf(data)],
    ['Assignee', data.text('assignee', 'name')],
    ['Project', data.text('project', 'name')],
    ['Parent', data.text('parent', 'identifier') || data.text('parent', 'title')],
    ['Labels', labelsOf(data)],
    ['Due', dayInWords(data.text('dueDate'))],
  ]);
}

/** `updatedFrom` has the old values of the fields that changed, often as ids only. */
function changesOf(data: Payload, old: Payload): Markdown {
  const isChanged = (field: string) => old.at(field).raw !== undefined;
  const fields: readonly (readonly [field: string, change: Change])[] = [
    ['title', { name: 'Title', before: old.text('title'), after: data.text('title') }],
    ['stateId', { name: 'Status', after: data.text('state', 'name') || 'another' }],
    ['assigneeId', { name: 'Assignee', after: data.text('assignee', 'name') || 'nobody' }],
    ['priority', { name: 'Priority', before: nameOfPriority(old), after: priorityOf(data) || 'another' }],
    ['labelIds', { name: 'Labels', after: labelsOf(data) || 'none' }],
    [
      'dueDate',
      { name: 'Due', before: dayInWords(old.text('dueDate')), after: dayInWords(data.text('dueDate')) || 'no date' },
    ],
    ['estimate', { name: 'Estimate', before: old.text('estimate'), after: data.text('estimate') || 'none' }],
    ['projectId', { name: 'Project', after: data.text('project', 'name') || 'none' }],
    ['cycleId', { name: 'Cycle', after: data.text('cycle', 'name') || data.text('cycle', 'number') || 'none' }],
    [
      'parentId',
      { name: 'Parent', after: data.text('parent', 'identifier') || data.text('parent', 'title') || 'none' },
    ],
    ['teamId', { name: 'Team', after: data.text('team', 'name') || 'another' }],
  ];
  const list = fields.filter(([field]) => isChanged(field)).map(([, change]) => change);
  const others = [
    isChanged('description') && md`* ${bold('Description')} changed`,
    isChanged('archivedAt') && (data.at('archivedAt').isMissing ? md`* Restored from the archive` : md`* Archived`),
    isChanged('trashed') && (data.isTrue('trashed') ? md`* Moved to the trash` : md`* Restored from the trash`),
  ];
  return joined([list.length > 0 && changes(list), ...others], '\n');
}

function nameOfPriority(old: Payload): string {
  const priority = old.text('priority');
  return Object.hasOwn(PRIORITIES, priority) ? (PRIORITIES[priority] ?? '') : '';
}

const SLA: Readonly<Record<string, string>> = {
  set: '⏱️ has a deadline',
  highRisk: '⚠️ is at risk of missing its deadline',
  breached: '🚨 has missed its deadline',
};

/** The service level of an issue. The issue is in `issueData`. */
export function breached({ payload }: Delivery, action: string): Outcome {
  const data = payload.at('issueData').isObject ? payload.at('issueData') : payload.needObject('data');
  const name = issueNameOf(data, urlOf(payload));
  if (name.title === '') data.need('title');
  const [icon = '', ...words] = (SLA[action] ?? '').split(' ');
  const what = linkIf(`${name.identifier} ${name.title}`.trim(), urlOf(payload) || data.text('url'));
  const until = facts([['Deadline', moment(data.text('slaBreachesAt'))]]);
  const content = joined([md`${icon} Issue ${what} ${words.join(' ')}.`, until], '\n\n');
  return { event: `IssueSLA ${action}`, topic: topicOf(name), content };
}
