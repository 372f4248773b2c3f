import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Json } from '../../../testing/clients/json.ts';
import { emptyModel, queryOf, question, step, take } from '../../../testing/model/message-scenario.ts';
import { fc } from '../../../testing/random/property.ts';
import { startTestServer, type TestServer } from '../../../testing/server/server.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

let runs = 0;

test('GET /messages returns the same as a plain list of readable messages, for any narrow and anchor', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 60, size: 'max' }),
      fc.array(question, { minLength: 40, maxLength: 40 }),
      async (steps, questions) => {
        runs += 1;
        const model = await emptyModel(server, runs);
        for (const happening of steps) await take(server, model, happening);
        for (const asked of questions) {
          // The owner takes part in every run, so the model has all messages only of the other users.
          const named = queryOf(model, { ...asked, who: 1 + (asked.who % 2) });
          if (named === undefined) continue;
          const { reader, query } = named;
          const answer = await reader.client.ok('GET', '/messages', { ...query });
          const { anchor, found_anchor, found_oldest, found_newest } = answer;
          const messages = answer.messages.map(({ id, flags }: Json) => ({ id, flags }));
          assert.deepEqual(
            { anchor, found_anchor, found_oldest, found_newest, messages },
            model.answer(reader, query),
            JSON.stringify(query),
          );
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
