import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerLine } from './answer-line.ts';
import { ANSWER_SIZE, type PollAnswer, Waiting } from './held-poll.ts';
import type { Queue } from './queue.ts';

/** Names in the order in which they are answered. */
function answering(...names: readonly string[]) {
  const answered: string[] = [];
  const dues = names.map((name) => ({ answerDue: () => void answered.push(name) }));
  return { answered, dues };
}

test('so many are answered in one turn of the loop and the others in the next ones, in the order in which they came', async () => {
  const line = new AnswerLine(2);
  const { answered, dues } = answering('a', 'b', 'c', 'd', 'e');
  for (const due of dues) line.join(due);
  line.advance();
  line.advance();
  assert.deepEqual(answered, ['a', 'b']);
  await nextTurn();
  assert.deepEqual(answered, ['a', 'b', 'c', 'd']);
  await nextTurn();
  assert.deepEqual(answered, ['a', 'b', 'c', 'd', 'e']);
});

test('nobody passes those who are in the line, nor comes in a turn that has no more room', async () => {
  const line = new AnswerLine(1);
  const { answered, dues } = answering('a', 'b');
  assert.equal(line.passes(), true);
  assert.equal(line.passes(), false, 'there was room for one');
  for (const due of dues) line.join(due);
  line.advance();
  assert.deepEqual(answered, []);
  await nextTurn();
  assert.deepEqual(answered, ['a']);
  assert.equal(line.passes(), false);
  await nextTurn();
  assert.deepEqual(answered, ['a', 'b']);
  await nextTurn();
  assert.equal(line.passes(), true);
});

test('who joins again keeps their place, and who has left the line is not answered', async () => {
  const line = new AnswerLine(1);
  const { answered, dues } = answering('a', 'b', 'c');
  for (const due of [...dues, ...dues]) line.join(due);
  if (dues[1] !== undefined) line.leave(dues[1]);
  line.advance();
  await nextTurn();
  await nextTurn();
  assert.deepEqual(answered, ['a', 'c']);
});

test('an answer that is long enough gets no more events while it waits for its turn', () => {
  const waiting = new Waiting({ id: 'any' } as Queue, 0, () => undefined);
  const [long, next, short] = [Buffer.alloc(ANSWER_SIZE), Buffer.alloc(1), Buffer.alloc(2)];
  for (const event of [long, next, short]) waiting.add(event);
  const answers: PollAnswer[] = [];
  waiting.whenAnswered({ take: (answer) => answers.push(answer) });
  waiting.answerDue();
  assert.deepEqual(answers, [{ events: [long, next] }]);
});
