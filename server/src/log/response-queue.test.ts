import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PendingPoll, type PollAnswer, RESPONSE_SIZE_BYTES } from './held-poll.ts';
import type { Queue } from './queue.ts';
import { ResponseQueue } from './response-queue.ts';

/** Records the names of the requests in the order of their responses. */
function answering(...names: readonly string[]) {
  const answered: string[] = [];
  const dues = names.map((name) => ({ answerDue: () => void answered.push(name) }));
  return { answered, dues };
}

test('each turn of the event loop sends a limited number of responses, in the order in which the requests joined', async () => {
  const line = new ResponseQueue(2);
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

test('a request does not overtake queued ones, and is not answered in a turn that has no room left', async () => {
  const line = new ResponseQueue(1);
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

test('a request that joins twice keeps its position, and one that has left gets no response', async () => {
  const line = new ResponseQueue(1);
  const { answered, dues } = answering('a', 'b', 'c');
  for (const due of [...dues, ...dues]) line.join(due);
  if (dues[1] !== undefined) line.leave(dues[1]);
  line.advance();
  await nextTurn();
  await nextTurn();
  assert.deepEqual(answered, ['a', 'c']);
});

test('a response that is long enough gets no more events while it waits for its turn', () => {
  const waiting = new PendingPoll({ id: 'any' } as Queue, 0, () => undefined);
  const [long, next, short] = [Buffer.alloc(RESPONSE_SIZE_BYTES), Buffer.alloc(1), Buffer.alloc(2)];
  for (const event of [long, next, short]) waiting.add(event);
  const answers: PollAnswer[] = [];
  waiting.whenAnswered({ take: (answer) => answers.push(answer) });
  waiting.answerDue();
  assert.deepEqual(answers, [{ events: [long, next] }]);
});
