import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../../testing/server/server.ts';

const PATHS = ['/api/v1/server_settings', '/login/', '/api/v1/messages', '/no-such-page', '/health/live'];

async function policiesOf(url: string): Promise<readonly (string | null)[]> {
  const server = await startTestServer({ environment: { HEDDLE_URL: url } });
  try {
    const responses = await Promise.all(PATHS.map((path) => fetch(`${server.url}${path}`, { redirect: 'manual' })));
    await Promise.all(responses.map((response) => response.arrayBuffer()));
    return responses.map(({ headers }) => headers.get('strict-transport-security'));
  } finally {
    await server.stop();
  }
}

test('behind TLS, each response tells browsers to come with TLS only; without TLS, none does', async () => {
  assert.deepEqual(
    await policiesOf('https://chat.example.com'),
    PATHS.map(() => 'max-age=31536000'),
  );
  assert.deepEqual(
    await policiesOf('http://chat.example.com'),
    PATHS.map(() => null),
  );
});
