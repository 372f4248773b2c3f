/** A server, a push service of browsers, and a browser of a person whom somebody writes to. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { webPushOf } from '../../features/web-push/running.ts';
import type { TestClient } from '../clients/client.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { TestWebPushDevice, TestWebPushService } from './web-push-service.ts';

export const password = 'correct horse battery';

interface WebPushScene {
  readonly service: TestWebPushService;
  readonly server: TestServer;
  readonly sender: TestClient;
  readonly person: TestClient;
  readonly device: TestWebPushDevice;
}

export async function begin(): Promise<WebPushScene & AsyncDisposable> {
  const service = await TestWebPushService.start();
  const server = await startTestServer({ environment: quiet(service) });
  const person = await server.user({ password });
  return {
    service,
    server,
    sender: await server.user(),
    person,
    device: await TestWebPushDevice.of(person, { url: server.url, password, service }),
    async [Symbol.asyncDispose]() {
      await server.stop();
      await service.stop();
      assert.deepEqual(service.problems, []);
    },
  };
}

export function quiet(service: TestWebPushService) {
  return { ...service.environment, HEDDLE_LOG_LEVEL: 'silent' };
}

/** Sends pending notifications as if they were due now. */
export async function allDue({ app }: TestServer): Promise<void> {
  await webPushOf(app).settled();
  await sql`UPDATE web_push_notifications SET due_at = now() WHERE due_at IS NOT NULL`.execute(app.db);
  await webPushOf(app).settled();
}

export async function rowsOf({ app }: TestServer) {
  const { rows } = await sql<{ state: string; attempts: number; wait: number }>`
    SELECT state, attempts, extract(epoch FROM due_at - now()) AS wait FROM web_push_notifications ORDER BY message_id`.execute(
    app.db,
  );
  return rows;
}
