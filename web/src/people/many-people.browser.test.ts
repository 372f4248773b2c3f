import assert from 'node:assert/strict';
import { startTestServer } from '@heddle/server/testing/server/server.ts';
import { sql } from 'kysely';
import { browserWorld } from '../../testing/browser-world.ts';

const PEOPLE = 20_000;

/** As many rows as a column of a large screen has, and the few beyond its edges. */
const MAX_ROWS = 100;

/** The first server creates the organization. The one behind the pages starts when all people are in the database. */
const world = browserWorld({
  async front({ app, shared }, environment) {
    await sql`
      INSERT INTO users (organization_id, email, delivery_email, full_name, role)
      SELECT o.id, 'person' || n || '@many.example.com', 'person' || n || '@many.example.com', 'Person ' || n, 400
      FROM organizations o, generate_series(1, ${PEOPLE}::int) n
      WHERE o.subdomain = ''`.execute(app.db);
    const second = await startTestServer({ shared, environment });
    return { url: second.url, close: () => second.stop() };
  },
});

world.test('the list of 20,000 people holds few rows at a time, and the search finds each person', async () => {
  const page = await world.open(world.owner, '#inbox');
  const list = page.getByRole('complementary', { name: 'People' }).getByRole('grid', { name: 'People' });
  const rows = list.getByRole('row');
  await rows
    .filter({ hasText: /Person \d+/ })
    .first()
    .waitFor();
  assert.ok(Number(await list.getAttribute('aria-rowcount')) > PEOPLE);
  assert.ok((await rows.count()) < MAX_ROWS, `${await rows.count()} rows`);
  await rows
    .filter({ hasText: /Person \d+/ })
    .first()
    .focus();
  await page.keyboard.press('End');
  await rows.filter({ hasText: 'Person 9999' }).last().waitFor();
  assert.ok((await rows.count()) < MAX_ROWS, `${await rows.count()} rows at the end`);
  await page.getByRole('searchbox', { name: 'Filter people' }).fill(`person ${PEOPLE}`);
  await rows.filter({ hasText: `Person ${PEOPLE}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: `Person ${PEOPLE}` }).waitFor();
});
