import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { indexMessages } from '@heddle/server/domain/reading/history/indexing.ts';
import { keysOnDisk, upload } from '@heddle/server/testing/clients/user-files.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { sql } from 'kysely';
import { openBackupConnection } from '../../backup/tables.ts';
import { archiveDirectory, exportTo, importArchive } from '../../testing/imported.ts';
import { lockSubdomain } from '../beginning.ts';
import { cancelInterrupted } from '../importing.ts';

let server: TestServer;
let directory: Awaited<ReturnType<typeof archiveDirectory>>;
let archive: string;

before(async () => {
  directory = await archiveDirectory();
  server = await startTestServer();
  await server.emptyChannel(server.owner, 'square');
  for (let number = 0; number < 5; number += 1) {
    await server.owner.send(
      'square',
      'files',
      `[${number}](${await upload(server.url, server.owner, `file ${number}`)})`,
    );
  }
  archive = join(directory.path, 'archive.zip');
  await exportTo(server, archive);
});
after(async () => {
  await server.stop();
  await directory.remove();
});

/** Imports until the progress names a table, and stops there. */
async function interruptAt(table: string, subdomain: string): Promise<void> {
  const stop = new AbortController();
  const progress = (at: { readonly table: string }) => {
    if (at.table === table) stop.abort(new Error('interrupted'));
  };
  await assert.rejects(importArchive(server, archive, subdomain, { progress, signal: stop.signal }), /interrupted/);
}

async function rowsOf(table: string, subdomain: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM ${sql.table(table)} WHERE organization_id =
      (SELECT organization_id FROM imports WHERE subdomain = ${subdomain}
        UNION SELECT id FROM organizations WHERE subdomain = ${subdomain})`.execute(server.app.db);
  return rows[0]?.count ?? 0;
}

test('an interrupted import is invisible, continues with the same archive, and repeats no row', async () => {
  const tables = ['users', 'channels', 'messages', 'attachments', 'attachment_messages'];
  for (const table of tables) await interruptAt(table, 'moved');
  assert.equal(await rowsOf('messages', 'moved'), 5);
  const { rows } = await sql<{ id: number; subdomain: string }>`
    SELECT id, subdomain FROM organizations WHERE subdomain LIKE '%moved'`.execute(server.app.db);
  assert.deepEqual(
    rows.map(({ subdomain }) => subdomain),
    ['import of moved'],
  );
  assert.equal(await server.app.organizations.byId(rows[0]?.id ?? 0), undefined);
  // Background work runs meanwhile.
  await indexMessages(server.app, AbortSignal.timeout(10_000));
  await server.app.jobs.settled();
  const files = (await keysOnDisk(server)).length;
  const { isContinued } = await importArchive(server, archive, 'moved');
  assert.equal(isContinued, true);
  assert.equal((await keysOnDisk(server)).length, files, 'no file is stored twice');
  assert.equal(await rowsOf('messages', 'moved'), 5);
  const organization = await server.app.organizations.bySubdomain('moved');
  assert.equal(organization?.directory.organization.isDeactivated, false);
});

test('an interrupted import does not continue with another archive, and can be cancelled', async () => {
  await interruptAt('attachments', 'other');
  const changed = join(directory.path, 'changed.zip');
  await exportTo(server, changed);
  await assert.rejects(
    importArchive(server, changed, 'other'),
    /An import of another archive .* remove .* `import cancel`/,
  );
  const app = { db: server.app.db, config: server.app.config, connection: { connectionString: server.shared.url } };
  assert.equal(await cancelInterrupted(app, 'other'), true);
  assert.equal(await cancelInterrupted(app, 'other'), false);
  for (const table of ['users', 'messages', 'attachments', 'imports'])
    assert.equal(await rowsOf(table, 'other'), 0, table);
  const { rows } = await sql`SELECT FROM organizations WHERE subdomain = 'import of other'`.execute(server.app.db);
  assert.equal(rows.length, 0);
  const { isContinued } = await importArchive(server, changed, 'other');
  assert.equal(isContinued, false);
});

test('two processes do not import into the same subdomain at the same time', async (t) => {
  const client = await openBackupConnection({ connectionString: server.shared.url });
  t.after(() => client.end());
  await lockSubdomain(client, 'both');
  await assert.rejects(importArchive(server, archive, 'both'), /Another process imports into this subdomain/);
});
