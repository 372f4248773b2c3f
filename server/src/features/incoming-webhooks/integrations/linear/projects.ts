/** Projects, initiatives and cycles. */
import { dayInWords } from '../../dates.ts';
import { type Change, changes, facts, spelledOut } from '../../facts.ts';
import { linkIf } from '../../git.ts';
import { type Delivery, type Outcome, wordsFor } from '../../integration.ts';
import { bold, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { actorOf, urlOf, VERBS } from './common.ts';

const HEALTH: Readonly<Record<string, string>> = {
  onTrack: '🟢 On track',
  atRisk: '🟡 At risk',
  offTrack: '🔴 Off track',
};

export function project(delivery: Delivery): Outcome {
  return named(delivery, 'Project');
}

export function initiative(delivery: Delivery): Outcome {
  return named(delivery, 'Initiative');
}

function named({ payload }: Delivery, kind: 'Project' | 'Initiative'): Outcome {
  const action = payload.need('action');
  const event = `${kind} ${action}`;
  const data = payload.needObject('data');
  const name = data.need('name');
  const what = md`the ${kind.toLowerCase()} ${linkIf(name, action === 'remove' ? '' : urlOf(payload))}`;
  const topic = cut(name, 200);
  const verb = wordsFor(action, VERBS, event);
  if (action === 'update') {
    const list = changesOf(data, payload.at('updatedFrom'));
    if (list.toString() === '') return { ignored: `${kind} update of other fields` };
    return { event, topic, content: joined([md`${actorOf(payload)} updated ${what}:`, list], '\n\n') };
  }
  const head = md`${actorOf(payload)} ${verb} ${what}${action === 'create' ? ':' : '.'}`;
  const details = action === 'create' && joined([quote(data.text('description')), factsOf(data)], '\n\n');
  return { event, topic, content: joined([head, details], '\n\n') };
}

/** Projects have statuses of the user, and initiatives those of Linear. */
function statusOf(data: Payload): string {
  return data.text('status', 'name') || spelledOut(data.text('status') || data.text('state'));
}

function leadOf(data: Payload): string {
  return data.text('lead', 'name') || data.text('owner', 'name');
}

function factsOf(data: Payload): Markdown {
  return facts([
    ['Status', statusOf(data)],
    ['Lead', leadOf(data)],
    ['Start', dayInWords(data.text('startDate'))],
    ['Target', dayInWords(data.text('targetDate'))],
  ]);
}

function changesOf(data: Payload, old: Payload): Markdown {
  const isChanged = (...names: readonly string[]) => names.some((name) => old.at(name).raw !== undefined);
  const date = (field: string) => ({
    before: dayInWords(old.text(field)),
    after: dayInWords(data.text(field)) || 'no date',
  });
  const fields: readonly (readonly [isChanged: boolean, change: Change])[] = [
    [isChanged('name'), { name: 'Name', before: old.text('name'), after: data.text('name') }],
    [isChanged('statusId', 'state', 'status'), { name: 'Status', after: statusOf(data) || 'another' }],
    [isChanged('leadId', 'ownerId'), { name: 'Lead', after: leadOf(data) || 'nobody' }],
    [isChanged('health'), { name: 'Health', after: healthOf(data) || 'unknown' }],
    [isChanged('startDate'), { name: 'Start', ...date('startDate') }],
    [isChanged('targetDate'), { name: 'Target', ...date('targetDate') }],
  ];
  const list = fields.filter(([changed]) => changed).map(([, change]) => change);
  const described = isChanged('description', 'content') && md`* ${bold('Description')} changed`;
  const priority = isChanged('priority') && md`* ${bold('Priority')} changed`;
  return joined([list.length > 0 && changes(list), priority, described], '\n');
}

function healthOf(data: Payload): string {
  const health = data.text('health');
  return Object.hasOwn(HEALTH, health) ? (HEALTH[health] ?? '') : '';
}

/** The report about a project or an initiative that people write. */
export function update({ payload }: Delivery): Outcome {
  const [type, action] = [payload.need('type'), payload.need('action')];
  const event = `${type} ${action}`;
  const data = payload.needObject('data');
  const of = type === 'ProjectUpdate' ? 'project' : 'initiative';
  const name = data.text(of, 'name') || of;
  const verb = wordsFor(action, { create: 'posted', update: 'edited', remove: 'deleted' }, event);
  const what = linkIf('an update', action === 'remove' ? '' : urlOf(payload));
  const health = action !== 'remove' && healthOf(data);
  const head = md`${actorOf(payload)} ${verb} ${what} of the ${of} ${bold(name)}${action === 'remove' ? '.' : ':'}`;
  const details = action !== 'remove' && joined([quote(data.text('body')), facts([['Health', health]])], '\n\n');
  return { event, topic: cut(name, 200), content: joined([head, details], '\n\n') };
}

export function cycle({ payload }: Delivery): Outcome {
  const action = payload.need('action');
  if (action === 'update') return { ignored: 'Cycle update' };
  const event = `Cycle ${action}`;
  const data = payload.needObject('data');
  const name = data.text('name') || `Cycle ${data.need('number')}`;
  const verb = wordsFor(action, VERBS, event);
  const dates = facts([
    ['Start', dayInWords(data.text('startsAt'))],
    ['End', dayInWords(data.text('endsAt'))],
  ]);
  const head = md`${actorOf(payload)} ${verb} the cycle ${linkIf(name, action === 'remove' ? '' : urlOf(payload))}.`;
  const topic = cut(data.text('team', 'name') || name, 200);
  return { event, topic, content: joined([head, action === 'create' && dates], '\n\n') };
}
