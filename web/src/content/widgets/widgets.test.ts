import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unconfirmed, withPending } from './pending.ts';
import { newOption, pollOf, voteFor } from './poll-data.ts';
import { newTask, strikeOf, todoListOf } from './todo-data.ts';
import { contributionsOf, type Fields, widgetOf } from './widget.ts';

const ADA = 7;
const BOB = 8;

const by = (senderId: number, data: Fields) => ({ senderId, data });

function submessage(id: number, senderId: number, content: unknown) {
  return { id, senderId, type: 'widget', content: JSON.stringify(content) };
}

test('the first submessage decides which widget a message is', () => {
  const poll = { widget_type: 'poll', extra_data: { question: 'Why?', options: [] } };
  assert.deepEqual(widgetOf([submessage(1, ADA, poll)]), { kind: 'poll', definition: poll.extra_data });
  assert.equal(widgetOf([]), undefined);
  assert.equal(widgetOf([submessage(1, ADA, { widget_type: 'newer' })]), undefined);
  assert.equal(widgetOf([{ ...submessage(1, ADA, poll), content: 'no JSON' }]), undefined);
});

test('contributions that are not objects are ignored', () => {
  const all = [submessage(1, ADA, {}), submessage(2, BOB, [1]), submessage(3, BOB, { type: 'vote' })];
  assert.deepEqual(contributionsOf(all), [by(BOB, { type: 'vote' })]);
});

test('a poll counts each voter of an option once, and a vote can be taken back', () => {
  const vote = (key: string, value: number) => ({ type: 'vote', key, vote: value });
  const poll = pollOf(
    { question: 'Which yarn?', options: ['Wool', 'Silk', 'Wool'] },
    [
      by(BOB, vote('canned,0', 1)),
      by(BOB, vote('canned,0', 1)),
      by(ADA, vote('canned,1', 1)),
      by(ADA, vote('canned,1', -1)),
      by(ADA, vote('canned,9', 1)),
      by(ADA, vote('canned,1', 5)),
    ],
    ADA,
  );
  assert.deepEqual(
    poll.options.map(({ key, text, voterIds }) => [key, text, [...voterIds]]),
    [
      ['canned,0', 'Wool', [BOB]],
      ['canned,1', 'Silk', []],
    ],
  );
});

test('everyone can add options to a poll, and only its author can change the question', () => {
  const poll = pollOf(
    { question: 'Old', options: [] },
    [
      by(BOB, { type: 'question', question: 'Taken over' }),
      by(ADA, { type: 'question', question: 'New' }),
      by(BOB, { type: 'new_option', idx: 4, option: 'Linen' }),
      by(BOB, { type: 'new_option', idx: 5000, option: 'Too many' }),
      by(ADA, { type: 'new_option', idx: 1, option: 'Linen' }),
    ],
    ADA,
  );
  assert.equal(poll.question, 'New');
  assert.deepEqual(
    poll.options.map(({ key }) => key),
    [`${BOB},4`],
  );
  assert.deepEqual(newOption(poll, 'Hemp', BOB), { type: 'new_option', idx: 5, option: 'Hemp' });
  assert.deepEqual(newOption(poll, 'Hemp', ADA), { type: 'new_option', idx: 1, option: 'Hemp' });
});

test('pressing an option votes for it or takes the vote back', () => {
  const option = { key: 'canned,0', text: 'Wool', voterIds: new Set([BOB]) };
  assert.deepEqual(voteFor(option, ADA), { type: 'vote', key: 'canned,0', vote: 1 });
  assert.deepEqual(voteFor(option, BOB), { type: 'vote', key: 'canned,0', vote: -1 });
});

test('each press on a task changes it, whoever pressed', () => {
  const definition = { task_list_title: 'Shopping', tasks: [{ task: 'Wool', desc: 'blue' }, 'no task'] };
  const strike = by(BOB, { type: 'strike', key: '0,canned' });
  const [task] = todoListOf(definition, [strike], ADA).tasks;
  assert.deepEqual(task, { key: '0,canned', text: 'Wool', description: 'blue', isDone: true });
  assert.deepEqual(task && strikeOf(task), strike.data);
  assert.equal(todoListOf(definition, [strike, by(ADA, strike.data)], ADA).tasks[0]?.isDone, false);
});

test('new tasks get the next number of their author, and a task exists once', () => {
  const list = todoListOf(
    {},
    [
      by(BOB, { type: 'new_task', key: 2, task: 'Wool', desc: '', completed: false }),
      by(ADA, { type: 'new_task', key: 1, task: 'Wool', desc: 'again', completed: false }),
      by(ADA, { type: 'new_task_list_title', title: 'Shopping' }),
      by(BOB, { type: 'new_task_list_title', title: 'Taken over' }),
    ],
    ADA,
  );
  assert.equal(list.title, 'Shopping');
  assert.deepEqual(
    list.tasks.map(({ key }) => key),
    [`2,${BOB}`],
  );
  assert.equal(newTask(list, 'Silk', '', BOB).key, 3);
});

test('a contribution on its way counts once, whether its event or its response arrives first', () => {
  const strike = { type: 'strike', key: '0,canned' };
  const content = JSON.stringify(strike);
  const definition = submessage(1, ADA, {});
  const pending = [
    { content, afterId: 1 },
    { content, afterId: 1 },
  ];
  assert.equal(withPending([definition], pending, BOB).length, 3);
  const arrived = [definition, submessage(2, BOB, strike)];
  assert.equal(withPending(arrived, pending, BOB).length, 3);
  assert.equal(unconfirmed([...arrived, submessage(3, BOB, strike)], pending, BOB).length, 0);
  // The same of another user, or from before.
  assert.equal(unconfirmed([definition, submessage(2, ADA, strike)], pending.slice(1), BOB).length, 1);
  assert.equal(unconfirmed(arrived, [{ content, afterId: 2 }], BOB).length, 1);
});
