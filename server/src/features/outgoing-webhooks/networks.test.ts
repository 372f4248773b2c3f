import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Networks, resolver } from '../../outbound/networks.ts';
import type { TestClient } from '../../testing/clients/client.ts';
import type { Json } from '../../testing/clients/json.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';
import { TestBotService } from '../../testing/services/bot-service.ts';
import { startNameServer } from '../../testing/services/name-server.ts';
import { PostError, Poster } from './post.ts';
import { outgoingOf } from './running.ts';

const NEVER = new AbortController().signal;
describe('networks of outgoing webhooks', () => {
  let service: TestBotService;
  before(async () => {
    service = await TestBotService.start();
  });
  after(() => service.stop());

  function poster(allowed: readonly string[], nameServers?: readonly string[]): Poster {
    return new Poster({ networks: new Networks(allowed), resolve: resolver(nameServers), timeoutMilliseconds: 60_000 });
  }

  async function problemOf(asking: Poster, url: string): Promise<string> {
    const error = await asking
      .post({ url, contentType: 'application/json', body: '{}' }, NEVER)
      .catch((thrown) => thrown);
    return error instanceof PostError ? error.problem : `answered ${JSON.stringify(error)}`;
  }

  // rules: bots-13
  test('loopback addresses are forbidden in every notation, and no request arrives there', async () => {
    const { port } = service;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '127.1',
      '0x7f000001',
      '2130706433',
    ]) {
      assert.equal(await problemOf(poster([]), `http://${host}:${port}/`), 'forbidden', host);
    }
    assert.equal(await problemOf(poster([]), 'https://169.254.169.254/latest/meta-data/'), 'forbidden');
    assert.equal(await problemOf(poster(['127.0.0.1']), 'http://127.0.0.1:25/'), 'forbidden');
    assert.deepEqual([service.calls.length, service.connections], [0, 0]);
  });

  // rules: bots-13
  test('a host name that resolves to loopback is forbidden', async () => {
    const names = await startNameServer(() => ['127.0.0.1']);
    const url = `http://innocent.example.com:${service.port}/`;
    assert.equal(await problemOf(poster([], [names.address]), url), 'forbidden');
    assert.deepEqual([names.asked, service.calls.length], [1, 0]);
    const { status } = await poster(['127.0.0.1'], [names.address]).post(
      { url, contentType: 'application/json', body: '{}' },
      NEVER,
    );
    assert.deepEqual([status, service.calls.length], [200, 1]);
    assert.equal(service.calls[0]?.headers.host, `innocent.example.com:${service.port}`);
    await names.stop();
  });

  // rules: bots-13
  test('the connection goes to the checked address, even if the name resolves differently the next time (DNS rebinding)', async () => {
    service.calls.length = 0;
    // First an allowed address, then a forbidden one; then both in one response.
    const names = await startNameServer((question) => (question === 0 ? ['127.0.0.1'] : ['127.0.0.2']));
    const asking = poster(['127.0.0.1'], [names.address]);
    const url = `http://rebinding.example.com:${service.port}/`;
    await asking.post({ url, contentType: 'application/json', body: '{}' }, NEVER);
    assert.equal(names.asked, 1, 'the name is resolved once');
    assert.equal(await problemOf(asking, url), 'forbidden');
    await names.stop();
    const both = await startNameServer(() => ['127.0.0.2', '127.0.0.1']);
    await poster(['127.0.0.1'], [both.address]).post({ url, contentType: 'application/json', body: '{}' }, NEVER);
    await both.stop();
    assert.equal(service.calls.length, 2);
  });

  // rules: bots-13
  test('a silent name server costs no more than the request timeout', async () => {
    const names = await startNameServer(() => []);
    const asking = new Poster({
      networks: new Networks([]),
      resolve: resolver([names.address]),
      timeoutMilliseconds: 300,
    });
    assert.equal(await problemOf(asking, 'http://slow.example.com/'), 'timeout');
    await names.stop();
  });
});

describe('a server without allowed networks', () => {
  let server: TestServer;
  let service: TestBotService;
  let owner: TestClient;
  before(async () => {
    service = await TestBotService.start();
    server = await startTestServer();
    owner = await server.user({ name: 'Owner of bots' });
  });
  after(async () => {
    await server.stop();
    await service.stop();
  });

  // rules: bots-13
  test('does not call its own machine: the bot reports a failure, and its owner receives the reason', async () => {
    for (const [place, payload_url] of [service.url, `http://localhost:${service.port}`, server.url].entries()) {
      const fields = { full_name: `Mole ${place}`, short_name: `mole${place}`, bot_type: 3, payload_url };
      const { user_id } = await owner.ok('POST', '/bots', fields);
      await owner.direct([user_id], 'dig');
      await outgoingOf(server.app).settled();
      const narrow = [{ operator: 'dm', operand: [user_id] }];
      const query = { anchor: 'newest', num_before: 2, num_after: 0, narrow, apply_markdown: false };
      const { messages } = await owner.ok('GET', '/messages', query);
      const [said, notice] = messages.map(({ content }: Json) => content);
      assert.equal(said, 'Failure! Bot is unavailable');
      assert.match(notice, /\nThe URL configured for the webhook is for a private or disallowed network\.$/);
    }
    assert.deepEqual([service.calls.length, service.connections], [0, 0]);
  });
});
