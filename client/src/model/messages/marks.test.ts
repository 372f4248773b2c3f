import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadMarks } from './marks.ts';

/** Marks with a server that responds when the test says so. */
function marksOf() {
  const applied: number[] = [];
  const saved: (readonly number[])[] = [];
  const requests: { readonly ids: readonly number[]; readonly respond: (isOk: boolean) => void }[] = [];
  const marks = new ReadMarks({
    applyRead: (ids) => applied.push(...ids),
    save: (ids) => saved.push(ids),
    untilRetry: async () => undefined,
    sendRead: (ids) =>
      new Promise((resolve, reject) => {
        requests.push({ ids, respond: (isOk) => (isOk ? resolve() : reject(new Error('no response'))) });
      }),
  });
  return { marks, applied, saved, requests };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('marks are stored before they are sent, and until the server has them', async () => {
  const { marks, applied, saved, requests } = marksOf();
  marks.mark([
    { id: 1, isRead: false },
    { id: 2, isRead: true },
    { id: 3, isRead: false },
  ]);
  assert.deepEqual(applied, [1, 3]);
  const flushed = marks.flush();
  assert.deepEqual(saved, [[1, 3]]);
  requests[0]?.respond(false);
  await turn();
  assert(marks.isWaiting(3));
  assert.deepEqual(saved, [[1, 3]]);
  requests[1]?.respond(true);
  await flushed;
  assert(!marks.isWaiting(3));
  assert.deepEqual(saved, [[1, 3], []]);
});

test('a flush waits for marks that are on their way, and for those that came meanwhile', async () => {
  const { marks, requests } = marksOf();
  marks.mark([{ id: 1, isRead: false }]);
  void marks.flush();
  marks.mark([{ id: 2, isRead: false }]);
  let isDone = false;
  const flushed = marks.flush().then(() => {
    isDone = true;
  });
  requests[0]?.respond(true);
  await turn();
  assert(!isDone);
  assert.deepEqual(requests[1]?.ids, [2]);
  requests[1]?.respond(true);
  await flushed;
});

test('the next page applies the stored marks, stores them as its own, and sends them', async () => {
  const { marks, applied, saved, requests } = marksOf();
  marks.restore([4, 5]);
  assert.deepEqual(applied, [4, 5]);
  assert.deepEqual(saved, [[4, 5]]);
  assert.deepEqual(requests[0]?.ids, [4, 5]);
  requests[0]?.respond(true);
  await marks.flush();
  assert.deepEqual(saved.at(-1), []);
});
