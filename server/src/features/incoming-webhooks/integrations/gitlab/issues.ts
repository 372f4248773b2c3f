import { dayInWords } from '../../dates.ts';
import { issueLike, linkIf, numberedTopic } from '../../git.ts';
import { type Delivery, type Outcome, UnknownEventError, wordsFor } from '../../integration.ts';
import { code, cut, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { actorOf, placeOf, projectOf } from './common.ts';

const MAX_NAMES = 10;

const VERBS: Readonly<Record<string, string>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  approval: 'added an approval to',
  unapproved: 'unapproved',
  unapproval: 'removed an approval from',
};

function verbOf(action: string, event: string): string {
  return wordsFor(action, VERBS, `${event} ${action}`);
}

export function issue({ payload, header }: Delivery): Outcome {
  const item = payload.needObject('object_attributes');
  const action = item.text('action') || 'update';
  const verb = verbOf(action, header('x-gitlab-event'));
  const [number, kind, url] = [item.need('iid'), kindOf(item), item.text('url')];
  return {
    event: `${header('x-gitlab-event')} ${action}`,
    topic: numberedTopic(placeOf(payload, url), kind, number, item.text('title')),
    content: issueLike({
      actor: actorOf(payload),
      action: verb,
      kind,
      number,
      url,
      title: item.text('title'),
      detail: joined([assigneesOf(payload), action === 'update' && changesOf(payload)], ' '),
      text: action === 'open' ? item.text('description') : '',
    }),
  };
}

/** Epics, tasks, incidents and others are issues with a type. */
function kindOf(item: Payload): string {
  return cut(item.text('type').toLowerCase(), 30) || 'issue';
}

function assigneesOf(payload: Payload): Markdown | undefined {
  const names = payload.list('assignees').map((one) => one.text('username') || one.text('name'));
  const shown = names.filter((name) => name !== '').slice(0, MAX_NAMES);
  return shown.length === 0 ? undefined : md`(assigned to ${shown.join(', ')})`;
}

/** What an update replaced. */
function changesOf(payload: Payload): Markdown | undefined {
  const changes = payload.at('changes');
  const title = changes.text('title', 'previous');
  const [oldTarget, target] = [changes.text('target_branch', 'previous'), changes.text('target_branch', 'current')];
  const differences = ['labels', 'reviewers', 'assignees'].map((field) => difference(changes, field));
  const [labels, reviewers, assignees] = differences;
  const all = joined(
    [
      title !== '' && md`the title was “${title}”`,
      stateChange(changes.at('state_id')),
      draftChange(changes.at('draft')),
      target !== '' && md`the target is now ${code(target)} instead of ${code(oldTarget)}`,
      namesLine('new labels', labels?.added),
      namesLine('removed labels', labels?.removed),
      namesLine('new reviewers', reviewers?.added),
      namesLine('removed reviewers', reviewers?.removed),
      namesLine('no longer assigned', assignees?.removed),
      !changes.at('milestone_id').isMissing &&
        (changes.at('milestone_id', 'current').isMissing ? md`removed the milestone` : md`new milestone`),
      !changes.at('due_date').isMissing && md`due date: ${dayInWords(changes.text('due_date', 'current')) || 'none'}`,
      !changes.at('description').isMissing && md`new description`,
    ],
    '; ',
  );
  return all.toString() === '' ? undefined : md`(${all})`;
}

/** The labels or the people of a field that an update added and removed. */
function difference(changes: Payload, field: string) {
  const names = (time: string) => changes.list(field, time).map((one) => one.firstText('title', 'username', 'name'));
  const [before, after] = [new Set(names('previous')), new Set(names('current'))];
  return { added: [...after.difference(before)], removed: [...before.difference(after)] };
}

function namesLine(what: string, names: readonly string[] = []): Markdown | undefined {
  return names.length === 0 ? undefined : md`${what}: ${names.slice(0, MAX_NAMES).join(', ')}`;
}

/** Requirements are closed by an update. */
function stateChange(state: Payload): Markdown | undefined {
  const current = state.number('current');
  if (current === 1) return md`now open`;
  return current === 2 ? md`now closed` : undefined;
}

function draftChange(draft: Payload): Markdown | undefined {
  if (draft.isMissing) return undefined;
  return draft.isTrue('current') ? md`now a draft` : md`no longer a draft`;
}

export function mergeRequest({ payload, parameters, header }: Delivery): Outcome {
  const item = payload.needObject('object_attributes');
  const action = item.text('action') || 'update';
  const isPush = action === 'update' && item.text('oldrev') !== '';
  const verb = isPush ? 'added commits to' : verbOf(action, header('x-gitlab-event'));
  const number = item.need('iid');
  return {
    event: `${header('x-gitlab-event')} ${action}`,
    topic: mergeRequestTopic(payload, number, parameters.use_merge_request_title ? item.text('title') : ''),
    content: issueLike({
      actor: actorOf(payload),
      action: verb,
      kind: 'MR',
      number,
      sign: '!',
      url: item.text('url'),
      title: item.text('title'),
      detail: joined(
        [action === 'open' && branchesOf(item), assigneesOf(payload), action === 'update' && changesOf(payload)],
        ' ',
      ),
      text: action === 'open' ? item.text('description') : '',
    }),
  };
}

function mergeRequestTopic(payload: Payload, number: string, title: string): string {
  return cut(`${projectOf(payload)} / MR #${number} ${title}`.trim(), 200);
}

function branchesOf(item: Payload): Markdown {
  return md`from ${code(item.text('source_branch'))} to ${code(item.text('target_branch'))}`;
}

/** Older versions name no action. */
const NOTE_VERBS: Readonly<Record<string, string>> = { create: 'commented', update: 'edited a comment' };

/** What else can have comments: its name, and the field of the payload with its title, if GitLab sends one. */
const OTHERS_WITH_NOTES: Readonly<Record<string, readonly [name: string, field: string]>> = {
  'DesignManagement::Design': ['design', 'design'],
  Epic: ['epic', 'epic'],
  Vulnerability: ['vulnerability', 'vulnerability'],
  'WikiPage::Meta': ['wiki page', 'wiki_page'],
  WorkItem: ['work item', 'work_item'],
};

export function note({ payload, parameters }: Delivery): Outcome {
  const given = payload.needObject('object_attributes');
  const kind = given.need('noteable_type');
  const action = given.text('action') || 'create';
  const comment = {
    actor: actorOf(payload),
    action: wordsFor(action, NOTE_VERBS, `Note Hook ${action}`),
    actionUrl: given.text('url'),
    text: given.text('note'),
  };
  switch (kind) {
    case 'MergeRequest': {
      const item = payload.needObject('merge_request');
      const number = item.need('iid');
      const title = parameters.use_merge_request_title ? item.text('title') : '';
      const content = issueLike({ ...comment, kind: 'on MR', sign: '!', number, url: item.text('url') });
      return { event: 'Note Hook MergeRequest', topic: mergeRequestTopic(payload, number, title), content };
    }
    case 'Issue': {
      const item = payload.needObject('issue');
      const [number, of, url] = [item.need('iid'), kindOf(item), item.text('url')];
      return {
        event: 'Note Hook Issue',
        topic: numberedTopic(placeOf(payload, url || comment.actionUrl), of, number, item.text('title')),
        content: issueLike({ ...comment, kind: `on ${of}`, number, url }),
      };
    }
    case 'Snippet': {
      const item = payload.needObject('snippet');
      const number = item.need('id');
      const topic = numberedTopic(projectOf(payload), 'snippet', number, item.text('title'));
      return {
        event: 'Note Hook Snippet',
        topic,
        content: issueLike({ ...comment, kind: 'on snippet', number, url: item.text('url') }),
      };
    }
    case 'Commit': {
      const commit = linkIf(payload.need('commit', 'id').slice(0, 11), payload.text('commit', 'url'));
      const head = md`${comment.actor} ${linkIf('commented', comment.actionUrl)} on ${commit}:`;
      return {
        event: 'Note Hook Commit',
        topic: projectOf(payload),
        content: joined([head, quote(comment.text)], '\n\n'),
      };
    }
    default:
      return noteOnOther(payload, kind, comment);
  }
}

interface Comment {
  readonly actor: string;
  readonly action: string;
  readonly actionUrl: string;
  readonly text: string;
}

/** GitLab documents no more than the comment and its address. */
function noteOnOther(payload: Payload, kind: string, { actor, action, actionUrl, text }: Comment): Outcome {
  const [name, field] = (Object.hasOwn(OTHERS_WITH_NOTES, kind) && OTHERS_WITH_NOTES[kind]) || [];
  if (name === undefined || field === undefined) throw new UnknownEventError(`Note Hook ${kind}`);
  const item = payload.at(field);
  const title = item.firstText('title', 'filename', 'name');
  const place = placeOf(payload, actionUrl);
  const head = md`${actor} ${linkIf(action, actionUrl)} on ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
  const about = title === '' ? head : md`${head} (${linkIf(title, item.text('url'))})`;
  return {
    event: `Note Hook ${kind}`,
    topic: cut(`${place} / ${name} ${title}`.trim(), 200),
    content: joined([md`${about}:`, quote(text)], '\n\n'),
  };
}
