import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { TestClient } from '@heddle/server/testing/clients/client.ts';
import { plainPicture } from '@heddle/server/testing/clients/uploading.ts';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { startTestServer, type TestServer } from '@heddle/server/testing/server/server.ts';
import { Connection } from './connection.ts';
import { ApiError, isApiError, isOutcomeUnknown, isTemporary, NetworkError, UnexpectedAnswerError } from './errors.ts';
import { logIn } from './logging-in.ts';
import type { NamedBlob } from './operation.ts';
import {
  addAlertWords,
  addNavigationView,
  createBot,
  createChannel,
  editNavigationView,
  fetchApiKey,
  getChannelId,
  getFileTemporaryUrl,
  getMessages,
  getNavigationViews,
  getOwnUser,
  getServerSettings,
  removeAlertWords,
  sendMessage,
  updateMessageFlags,
  uploadAvatar,
  uploadWholeFile,
} from './operations.ts';

let server: TestServer;
let ada: Connection;
let ben: TestClient;
const OWNER_PASSWORD = 'correct horse battery';
before(async () => {
  server = await startTestServer();
  ada = connectionOf(server.owner);
  ben = await server.user({ name: 'Ben' });
});
after(() => server.stop());

function connectionOf({ email, apiKey }: TestClient, url = server.url): Connection {
  return new Connection({ url, credentials: { email, apiKey }, clientName: 'LoomBot' });
}

async function pictureFile(): Promise<NamedBlob> {
  return Object.assign(new Blob([new Uint8Array(await plainPicture())], { type: 'image/png' }), { name: 'face.png' });
}

/** A server that is not Heddle, such as a proxy in front of it. Returns its URL. */
async function startProxy(t: { after(end: () => void): void }, answer: RequestListener): Promise<string> {
  const proxy: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

test('parameters of a form are text, or JSON if they are not strings; undefined ones are left out', async () => {
  await createChannel(ada, { name: 'looms', subscribers: [server.owner.userId], description: undefined });
  const { id } = await sendMessage(ada, { type: 'channel', to: 'looms', topic: 'shuttles', content: 'hello' });
  const { messages } = await getMessages(ada, {
    anchor: 'newest',
    num_before: 1,
    narrow: [{ operator: 'channel', operand: 'looms' }],
    apply_markdown: false,
  });
  assert.deepEqual(
    messages.map((message) => [message.id, message.content, message.client]),
    [[id, 'hello', 'LoomBot']],
  );
});

test('a channel whose name is a number or a list is not taken for ids', async () => {
  for (const name of ['7', '[7]', '"quoted"']) {
    await createChannel(ada, { name, subscribers: [server.owner.userId] });
    await sendMessage(ada, { type: 'channel', to: name, topic: 't', content: `in ${name}` });
    const { stream_id } = await getChannelId(ada, { stream: name });
    const { messages } = await getMessages(ada, { anchor: 'newest', num_before: 1, apply_markdown: false });
    assert.deepEqual([messages.at(-1)?.content, messages.at(-1)?.stream_id], [`in ${name}`, stream_id]);
  }
});

test('an operation without required parameters needs none', async () => {
  const { user_id } = await getOwnUser(ada);
  assert.equal(user_id, server.owner.userId);
});

test('DELETE carries its parameters', async () => {
  await addAlertWords(ada, { alert_words: ['loom', 'warp'] });
  const { alert_words } = await removeAlertWords(ada, { alert_words: ['loom'] });
  assert.deepEqual(alert_words, ['warp']);
});

test('path parameters are encoded', async () => {
  const fragment = 'narrow/channel/7-a%2Fb?x#y';
  await addNavigationView(ada, { fragment, is_pinned: true, name: 'Mine' });
  await editNavigationView(ada, { fragment, is_pinned: false });
  const { navigation_views } = await getNavigationViews(ada);
  assert.deepEqual(navigation_views, [{ fragment, is_pinned: false, name: 'Mine' }]);
  await assert.rejects(editNavigationView(ada, { fragment: '..', is_pinned: false }), TypeError);
});

test('a file is sent with its name, and a path can contain slashes', async () => {
  const file = Object.assign(new Blob(['threads'], { type: 'text/plain' }), { name: 'my threads.txt' });
  const { url, filename } = await uploadWholeFile(ada, { file });
  assert.equal(filename, 'my threads.txt');
  const [, , organization = '', ...rest] = url.split('/');
  const temporary = await getFileTemporaryUrl(ada, { realm_id_str: Number(organization), filename: rest.join('/') });
  const blob = await ada.fetchFile(temporary.url);
  assert.equal(await blob.text(), 'threads');
  assert.equal(await (await ada.fetchFile(url)).text(), 'threads');
});

test('the credentials are never sent to another server', async () => {
  await assert.rejects(ada.fetchFile('https://elsewhere.example.com/user_uploads/x'), TypeError);
});

test('a form can have a required or an optional file', async () => {
  const { avatar_url } = await uploadAvatar(ada, { file: await pictureFile() });
  assert.match(avatar_url, /^\/user_avatars\//);
  const without = await createBot(ada, { full_name: 'Plain', short_name: 'plain' });
  const withPicture = await createBot(ada, { full_name: 'Pretty', short_name: 'pretty', file: await pictureFile() });
  assert.notEqual(without.avatar_url, withPicture.avatar_url);
  assert.match(withPicture.avatar_url, /\/user_avatars\//);
});

test('a refused call throws the code, the message and the fields of the response', async () => {
  const error = await sendMessage(ada, { type: 'channel', to: 'nowhere', topic: 't', content: 'x' }).catch((e) => e);
  assert(isApiError(error, 'STREAM_DOES_NOT_EXIST'));
  assert.equal(error.fields.stream, 'nowhere');
  assert.deepEqual([error.status, error.message], [400, "Channel 'nowhere' does not exist"]);
  assert(!isApiError(error, 'BAD_NARROW'));
  assert(isApiError(error));
  assert(sendMessage.isError(error));
  assert(!getMessages.isError(error));
  assert(!isTemporary(error) && !isOutcomeUnknown(error));
});

test('a wrong key is an ApiError, and no credentials see only what is public', async () => {
  const wrong = new Connection({ url: server.url, credentials: { email: server.owner.email, apiKey: 'wrong' } });
  await assert.rejects(getOwnUser(wrong), (error) => isApiError(error, 'UNAUTHORIZED') && error.status === 401);
  const anonymous = new Connection({ url: `${server.url}/` });
  await assert.rejects(getOwnUser(anonymous), (error) => getOwnUser.isError(error) && error.code === 'UNAUTHORIZED');
  assert.equal((await getServerSettings(anonymous)).zulip_feature_level, 421);
});

test('logIn exchanges the password for a key', async () => {
  const connection = await logIn({ url: server.url, username: server.owner.email, password: OWNER_PASSWORD });
  assert.equal((await getOwnUser(connection)).email, server.owner.email);
  const refused = logIn({ url: server.url, username: server.owner.email, password: 'no' });
  await assert.rejects(refused, (error) => fetchApiKey.isError(error) && error.code === 'AUTHENTICATION_FAILED');
});

test('a session calls /json with the token of its cookie', async () => {
  const visitor = new Visitor(server.url);
  await visitor.logIn(server.owner.email, OWNER_PASSWORD);
  const paths: string[] = [];
  // Does what a browser does with its cookies.
  const browserFetch: typeof fetch = (input, init) => {
    const url = new URL(String(input));
    paths.push(url.pathname);
    return fetch(url, {
      ...init,
      headers: { ...(init?.headers as Record<string, string>), cookie: visitor.cookieHeader, origin: url.origin },
    });
  };
  const session = () => visitor.jar.get('csrftoken');
  const connection = new Connection({ url: server.url, credentials: { session }, fetch: browserFetch });
  assert.equal((await getOwnUser(connection)).user_id, server.owner.userId);
  await addAlertWords(connection, { alert_words: ['weft'] });
  assert.deepEqual(paths, ['/json/users/me', '/json/users/me/alert_words']);
  const withoutToken = new Connection({
    url: server.url,
    credentials: { session: () => undefined },
    fetch: browserFetch,
  });
  await assert.rejects(addAlertWords(withoutToken, { alert_words: ['x'] }), (error) =>
    isApiError(error, 'CSRF_FAILED'),
  );
});

test('a response of a proxy is not taken for one of the API', async (t) => {
  const url = await startProxy(t, (_, response) => {
    response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '7' }).end('<h1>Bad gateway</h1>');
  });
  const error = await updateMessageFlags(connectionOf(ben, url), { messages: [1], op: 'add', flag: 'read' }).catch(
    (e) => e,
  );
  assert(error instanceof UnexpectedAnswerError);
  assert.deepEqual(
    [error.status, error.contentType, error.excerpt, error.retryAfter],
    [502, 'text/html', '<h1>Bad gateway</h1>', 7],
  );
  assert(isTemporary(error) && isOutcomeUnknown(error));
});

test('a login page of a network instead of the server is an unexpected answer', async (t) => {
  const url = await startProxy(t, (_, response) => response.end('<form>'));
  await assert.rejects(getOwnUser(connectionOf(ben, url)), UnexpectedAnswerError);
});

test('a server that does not exist is unreachable, and the request was surely not executed', async () => {
  const proxy = createServer().listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  proxy.close();
  const error = await getOwnUser(connectionOf(ben, `http://127.0.0.1:${port}`)).catch((e) => e);
  assert(error instanceof NetworkError);
  assert.deepEqual([error.failure, error.isOutcomeUnknown], ['unreachable', false]);
  assert(isTemporary(error));
});

test('a connection that breaks before the response leaves the outcome unknown', async (t) => {
  const url = await startProxy(t, (request) => request.socket.destroy());
  const error = await getOwnUser(connectionOf(ben, url)).catch((e) => e);
  assert(error instanceof NetworkError);
  assert.deepEqual([error.failure, error.isOutcomeUnknown], ['interrupted', true]);
});

test('a network that is lost during the request leaves the outcome unknown, because only the response may be lost', async (t) => {
  t.after(() => Reflect.deleteProperty(navigator, 'onLine'));
  const setOnline = (onLine: boolean) =>
    Object.defineProperty(navigator, 'onLine', { value: onLine, configurable: true });
  const url = await startProxy(t, (request) => {
    setOnline(false);
    request.socket.destroy();
  });
  setOnline(true);
  const lost = await getOwnUser(connectionOf(ben, url)).catch((e) => e);
  const before = await getOwnUser(connectionOf(ben, url)).catch((e) => e);
  assert(lost instanceof NetworkError && before instanceof NetworkError);
  assert.deepEqual([lost.failure, lost.isOutcomeUnknown], ['interrupted', true]);
  assert.deepEqual([before.failure, before.isOutcomeUnknown], ['offline', false]);
});

test('a timeout covers a response that begins and does not end', async (t) => {
  const url = await startProxy(t, (_, response) => response.write('{'));
  const error = await getOwnUser(connectionOf(ben, url), {}, { timeout: 100 }).catch((e) => e);
  assert(error instanceof NetworkError);
  assert.deepEqual([error.failure, error.isOutcomeUnknown], ['timeout', true]);
});

test('an aborted call throws the reason of its signal', async (t) => {
  const abort = new AbortController();
  const url = await startProxy(t, () => abort.abort(new Error('the user left')));
  await assert.rejects(getOwnUser(connectionOf(ben, url), {}, { signal: abort.signal }), /the user left/);
  await assert.rejects(getOwnUser(ada, {}, { signal: abort.signal }), /the user left/);
});

test('a limited call is repeated after the stated time only if the caller wants that', async (t) => {
  let count = 0;
  const url = await startProxy(t, (_, response) => {
    count += 1;
    const seconds = count > 3 ? 1000 : 0.02;
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ result: 'error', msg: 'slow down', code: 'RATE_LIMIT_HIT', 'retry-after': seconds }));
  });
  const connection = connectionOf(ben, url);
  const error = await getOwnUser(connection).catch((e) => e);
  assert(isApiError(error, 'RATE_LIMIT_HIT'));
  assert.deepEqual([error.fields['retry-after'], error.retryAfter, count], [0.02, 0.02, 1]);
  assert(isTemporary(error) && !isOutcomeUnknown(error));
  await assert.rejects(getOwnUser(connection, {}, { retries: 1 }), ApiError);
  assert.equal(count, 3);
  // This limit is too long to wait for.
  await assert.rejects(getOwnUser(connection, {}, { retries: 9 }), ApiError);
  assert.equal(count, 4);
});
