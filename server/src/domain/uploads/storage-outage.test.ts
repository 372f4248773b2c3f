/** A server whose storage of files is gone: the responses that clients get. */
import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { credentials } from '../../testing/clients/user-files.ts';
import { startTestServer } from '../../testing/server/server.ts';

const upload = async (url: string, headers: HeadersInit) => {
  const body = new FormData();
  body.append('file', new Blob(['warp']), 'warp.txt');
  const answer = await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers, body });
  return { status: answer.status, ...(await answer.json()) };
};

test('while the storage fails, uploads get 503 with a message about the storage, and everything else works', async (t) => {
  const elsewhere = { HEDDLE_S3_BUCKET: 'files', HEDDLE_S3_ENDPOINT: 'http://127.0.0.1:9' };
  const keys = { HEDDLE_S3_ACCESS_KEY_ID: 'heddle', HEDDLE_S3_SECRET_ACCESS_KEY: 'secret' };
  for (const environment of [{}, { ...elsewhere, ...keys }]) {
    const server = await startTestServer({ environment: { ...environment, HEDDLE_LOG_LEVEL: 'silent' } });
    t.after(() => server.stop());
    const ada = await server.user({ name: 'Ada' });
    // As a disk that is not mounted: the directory leads nowhere.
    const files = join(server.shared.dataDirectory, 'files');
    await symlink(join(server.shared.dataDirectory, 'not', 'mounted'), files);
    const refused = await upload(server.url, credentials(ada));
    assert.deepEqual([refused.status, refused.code], [503, 'SERVICE_UNAVAILABLE']);
    assert.equal(refused.msg, 'The storage of files is not available; please try again');
    await ada.ok('POST', '/messages', { type: 'direct', to: [ada.userId], content: 'still here' });
    await rm(files);
  }
});
