import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createUser, deactivateUser } from '../../domain/accounts/accounts/actions.ts';
import { TestClient } from '../../testing/clients/client.ts';
import { Visitor } from '../../testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '../../testing/server/server.ts';

const SECRET = 'a secret of more than 32 characters';
const EMAIL = 'owner@root.example.com';

const signed = (claims: Record<string, unknown>, secret = SECRET, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));

describe('POST /jwt/fetch_api_key', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ environment: { HEDDLE_JWT_KEY: SECRET } });
  });
  after(() => server.stop());

  const fetchKey = (fields: Record<string, unknown>) => server.spectator.call('POST', '/jwt/fetch_api_key', fields);

  // rules: login-6
  test('exchanges a signed token for the API key of the account with its email address', async () => {
    const { status, body } = await fetchKey({ token: await signed({ email: EMAIL.toUpperCase() }) });
    assert.deepEqual([status, body.api_key, body.email, body.user], [200, server.owner.apiKey, EMAIL, undefined]);
  });

  test('returns the user’s profile if include_profile is true', async () => {
    const { body } = await fetchKey({ token: await signed({ email: EMAIL }), include_profile: true });
    assert.deepEqual(
      [body.user.user_id, body.user.full_name, body.user.is_owner],
      [server.owner.userId, 'Olive Owner', true],
    );
    assert.equal(body.user.profile_data, undefined);
  });

  test('a missing token and a token without an address get their error messages', async () => {
    assert.equal((await fetchKey({})).body.msg, 'No JSON web token passed in request');
    const { status, body } = await fetchKey({ token: await signed({ sub: 'ada' }) });
    assert.deepEqual([status, body.msg], [400, 'No email specified in JSON web token claims']);
  });

  // rules: login-6
  test('a token with a wrong signature, algorithm or validity period is refused', async () => {
    const [header, payload] = (await signed({ email: EMAIL })).split('.');
    const bad = {
      nonsense: 'x.y.z',
      'another secret': await signed({ email: EMAIL }, 'another secret of more than 32 characters'),
      'another algorithm': await signed({ email: EMAIL }, SECRET.repeat(2), 'HS512'),
      'no signature': new UnsecuredJWT({ email: EMAIL }).encode(),
      'an empty signature': `${header}.${payload}.`,
      'past its time': await signed({ email: EMAIL, exp: 1 }),
      'not yet': await signed({ email: EMAIL, nbf: 4_000_000_000 }),
      'a header with a key of its own': withOwnKey(),
    };
    for (const [what, token] of Object.entries(bad)) {
      const { status, body } = await fetchKey({ token });
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Bad JSON web token'], what);
    }
  });

  test('an unknown address fails authentication, and a deactivated account gets USER_DEACTIVATED', async () => {
    const { status, body } = await fetchKey({ token: await signed({ email: 'nobody@example.com' }) });
    assert.deepEqual([status, body.code], [401, 'AUTHENTICATION_FAILED']);
    const organization = await server.app.organizations.bySubdomain('');
    assert(organization !== undefined);
    const { id } = await createUser(organization, { email: 'gone@example.com', fullName: 'Gone' });
    await deactivateUser(server.app, organization, id);
    const gone = await fetchKey({ token: await signed({ email: 'gone@example.com' }) });
    assert.deepEqual([gone.status, gone.body.code], [401, 'USER_DEACTIVATED']);
  });

  // rules: login-17
  test('a token takes over an account that somebody signed up by link with the same address', async () => {
    const { invite_link: link } = await server.owner.ok('POST', '/invites/multiuse');
    const squatter = new Visitor(server.url);
    const page = new URL(link).pathname;
    const [email, password] = ['claimed@example.com', 'a bobbin too many in here'];
    await squatter.get(page);
    const { status, text } = await squatter.submit(page, { full_name: 'Squatter', email, password });
    assert(status < 400, text);
    const byPassword = () => server.spectator.call('POST', '/fetch_api_key', { username: email, password });
    const before = (await byPassword()).body;
    const account = { email, apiKey: before.api_key, userId: before.user_id, name: 'Squatter' };
    const asSquatter = new TestClient({ url: server.url, host: new URL(server.url).host, ...account });
    const later = { type: 'direct', to: [server.owner.userId], content: 'Not the words of the owner of the address' };
    const tomorrow = Math.floor(Date.now() / 1000) + 86_400;
    await asSquatter.ok('POST', '/scheduled_messages', { ...later, scheduled_delivery_timestamp: tomorrow });
    const helper = { full_name: 'Helper', short_name: 'helper', bot_type: 3, interface_type: 1 };
    const bot = await asSquatter.ok('POST', '/bots', { ...helper, payload_url: '"https://squatter.example.com"' });
    const { body } = await fetchKey({ token: await signed({ email }) });
    assert.equal(body.result, 'success', body.msg);
    assert.notEqual(body.api_key, before.api_key, 'the squatter’s key still works');
    assert.equal((await byPassword()).status, 401, 'the squatter’s password still works');
    assert.equal((await squatter.get('/json/users/me')).status, 401, 'the squatter’s session still works');
    const asOwner = new TestClient({
      url: server.url,
      host: new URL(server.url).host,
      ...account,
      apiKey: body.api_key,
    });
    assert.deepEqual((await asOwner.ok('GET', '/scheduled_messages')).scheduled_messages, []);
    const { bots } = await asOwner.ok('GET', '/bots');
    assert.equal(bots.length, 1);
    assert.notEqual(bots[0].api_key, bot.api_key, 'the key of the squatter’s bot still works');
    assert.equal(bots[0].services[0].base_url, '', 'the bot still asks the squatter’s service');
    const again = await fetchKey({ token: await signed({ email }) });
    assert.equal(again.body.api_key, body.api_key, 'the second login changed the key');
  });

  test('a token key belongs to one organization: others refuse tokens', async () => {
    const elsewhere = await server.organization('elsewhere');
    const { status, body } = await elsewhere.call('POST', '/jwt/fetch_api_key', {
      token: await signed({ email: elsewhere.email }),
    });
    assert.deepEqual([status, body.msg], [400, 'JWT authentication is not enabled for this organization']);
  });
});

test('with a public key, only its private key signs; a token signed with the public key as secret is refused', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const server = await startTestServer({ environment: { HEDDLE_JWT_KEY: pem, HEDDLE_JWT_ALGORITHMS: 'RS256' } });
  try {
    const token = await new SignJWT({ email: EMAIL }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    assert.equal((await server.spectator.call('POST', '/jwt/fetch_api_key', { token })).status, 200);
    const forged = hmacToken({ alg: 'HS256' }, pem);
    const { body } = await server.spectator.call('POST', '/jwt/fetch_api_key', { token: forged });
    assert.equal(body.msg, 'Bad JSON web token');
  } finally {
    await server.stop();
  }
});

test('without a configured key the server refuses token logins', async () => {
  const server = await startTestServer();
  try {
    const { status, body } = await server.spectator.call('POST', '/jwt/fetch_api_key', { token: 'x' });
    assert.deepEqual([status, body.msg], [400, 'JWT authentication is not enabled for this organization']);
  } finally {
    await server.stop();
  }
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function hmacToken(header: Record<string, unknown>, secret: string): string {
  const text = `${encode(header)}.${encode({ email: EMAIL })}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function withOwnKey(): string {
  const jwk = { kty: 'oct', k: Buffer.from('attacker').toString('base64url') };
  return hmacToken({ alg: 'HS256', jwk }, 'attacker');
}
