/**
 * A push service of browsers (RFC 8030), which checks who sends (RFC 8292), and browsers that decrypt what they get (RFC 8291) and show it as
 * the service worker must. It shares no code with the server.
 */
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  MAX_WEB_PUSH_PAYLOAD_BYTES,
  type WebPushPayload,
  webPushPayload,
} from '@heddle/api/objects/web-push-payload.ts';
import { Compile } from 'typebox/compile';
import type { TestClient } from '../clients/client.ts';
import { Visitor } from '../clients/visitor.ts';

const isPayload = Compile(webPushPayload);

/** A push that the service has accepted. */
export interface Pushed {
  readonly device: TestWebPushDevice;
  readonly topic: string;
  readonly urgency: string;
  readonly ttl: number;
  readonly payload: WebPushPayload;
}

/** Returns whether it has responded itself. */
type Behaviour = (response: ServerResponse, device: TestWebPushDevice) => boolean;

export class TestWebPushService {
  readonly pushed: Pushed[] = [];
  /** What was wrong with requests. Tests expect nothing. */
  readonly problems: string[] = [];
  /** Requests so far, also those that were not accepted. */
  requests = 0;
  connections = 0;
  /** Responds instead of the service if it returns true. */
  behaviour: Behaviour | undefined;
  readonly #devices = new Map<string, TestWebPushDevice>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #waiting: { readonly wants: (pushed: Pushed) => boolean; readonly take: (pushed: Pushed) => void }[] = [];

  private constructor() {
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<TestWebPushService> {
    const service = new TestWebPushService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The environment of a server that may use this service. */
  get environment() {
    return { HEDDLE_WEB_PUSH_PRIVATE_NETWORKS: '127.0.0.1' };
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  add(device: TestWebPushDevice): string {
    const path = `/push/${randomBytes(12).toString('base64url')}`;
    this.#devices.set(path, device);
    return `${this.origin}${path}`;
  }

  /** Resolves with the first matching push, already accepted or not. */
  async arrival(wants: (pushed: Pushed) => boolean): Promise<Pushed> {
    const there = this.pushed.find(wants);
    if (there !== undefined) return there;
    return new Promise((take) => this.#waiting.push({ wants, take }));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const body = Buffer.concat(await request.toArray());
    const device = this.#devices.get(request.url ?? '');
    if (device === undefined) return void response.writeHead(404).end();
    if (this.behaviour?.(response, device) === true) return;
    let pushed: Pushed;
    try {
      pushed = this.#examine(request, body, device);
    } catch (error) {
      this.problems.push(String(error));
      return void response.writeHead(400).end();
    }
    this.pushed.push(pushed);
    device.take(pushed);
    response.writeHead(201, { location: `${this.origin}/message/${this.pushed.length}` }).end();
    const taking = this.#waiting.filter(({ wants }) => wants(pushed));
    this.#waiting = this.#waiting.filter((one) => !taking.includes(one));
    for (const { take } of taking) take(pushed);
  }

  #examine({ method, headers }: IncomingMessage, body: Buffer, device: TestWebPushDevice): Pushed {
    assert.equal(method, 'POST');
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.match(String(headers.ttl), /^\d+$/);
    assert.match(String(headers.topic), /^[\w-]{1,32}$/);
    assert.match(String(headers.urgency), /^(high|normal)$/);
    assert(body.length <= 4096, 'the body is too large');
    checkSender(headers.authorization ?? '', { audience: this.origin, serverKey: device.serverKey });
    const text = device.decrypt(body);
    assert(text.length <= MAX_WEB_PUSH_PAYLOAD_BYTES, 'the payload is too large');
    const payload = JSON.parse(text.toString());
    assert(isPayload.Check(payload), `not as documented: ${text}`);
    return {
      device,
      topic: String(headers.topic),
      urgency: String(headers.urgency),
      ttl: Number(headers.ttl),
      payload,
    };
  }
}

/** Checks the signature, the audience and the expiry of the sender's token. */
function checkSender(authorization: string, { audience, serverKey }: { audience: string; serverKey: string }): void {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  assert.equal(key, serverKey, 'the key is not that of the subscription');
  const [header = '', claims = '', signature = ''] = token.split('.');
  const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  assert.deepEqual(decoded(header), { typ: 'JWT', alg: 'ES256' });
  const { aud, exp, sub } = decoded(claims);
  assert.equal(aud, audience);
  const now = Date.now() / 1000;
  assert(exp > now && exp <= now + 86_400, 'the token does not expire within a day');
  assert.match(sub, /^(mailto:.+@.+|https:\/\/.+)$/);
  const point = Buffer.from(key, 'base64url');
  const coordinates = { x: point.toString('base64url', 1, 33), y: point.toString('base64url', 33) };
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', ...coordinates } });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  assert(isSigned, 'the signature is wrong');
}

/** A browser in which a user is logged in, with its subscription. */
export class TestWebPushDevice {
  readonly #keys = createECDH('prime256v1');
  readonly #auth = randomBytes(16);
  readonly #publicKey = this.#keys.generateKeys();
  /** What it has received, in order. */
  readonly received: Pushed[] = [];
  /** What the service keeps while it is offline, by topic. */
  readonly #kept = new Map<string, Pushed>();
  /** By tag, as the documentation of the payload says. */
  readonly #shown = new Map<string, { readonly payload: WebPushPayload; readonly ids: ReadonlySet<number> }>();
  readonly visitor: Visitor;
  isOffline = false;
  endpoint = '';
  serverKey = '';
  deviceId = 0;

  constructor(visitor: Visitor) {
    this.visitor = visitor;
  }

  /** Logs in and subscribes. */
  static async of(
    client: TestClient,
    {
      url,
      password,
      service,
      fields = {},
    }: {
      readonly url: string;
      readonly password: string;
      readonly service: TestWebPushService;
      readonly fields?: Readonly<Record<string, unknown>>;
    },
  ): Promise<TestWebPushDevice> {
    const visitor = new Visitor(url, client.host);
    const { status } = await visitor.logIn(client.email, password);
    assert.equal(status, 303);
    const device = new TestWebPushDevice(visitor);
    device.endpoint = service.add(device);
    const { state } = await client.register({ event_types: ['realm'], client_capabilities: { web_push: true } });
    device.serverKey = state.web_push_public_key;
    const answer = await device.call('POST', '/web_push/subscription', { ...device.subscription, ...fields });
    assert.equal(answer.status, 200, answer.text);
    device.deviceId = answer.json.device_id;
    return device;
  }

  /** As `PushSubscription.toJSON()`. */
  get subscription() {
    return {
      endpoint: this.endpoint,
      p256dh: this.#publicKey.toString('base64url'),
      auth: this.#auth.toString('base64url'),
    };
  }

  /** A request with the session. */
  async call(method: string, path: string, fields: Readonly<Record<string, unknown>> = {}) {
    await this.visitor.get('/accounts/sessions/');
    if (method === 'GET') return this.visitor.get(`/json${path}`);
    return this.visitor.send(method, `/json${path}`, fields, { 'x-csrftoken': this.visitor.csrfToken });
  }

  take(pushed: Pushed): void {
    if (this.isOffline) {
      // A replaced push moves to the end.
      this.#kept.delete(pushed.topic);
      this.#kept.set(pushed.topic, pushed);
    } else this.#show(pushed);
  }

  goOnline(): void {
    this.isOffline = false;
    for (const pushed of this.#kept.values()) this.#show(pushed);
    this.#kept.clear();
  }

  /** The messages for which it shows notifications; ascending. */
  get shown(): readonly number[] {
    return [...this.#shown.values()].flatMap(({ ids }) => [...ids]).sort((a, b) => a - b);
  }

  /** The notifications that it shows. */
  get notifications(): readonly WebPushPayload[] {
    return [...this.#shown.values()].map(({ payload }) => payload);
  }

  #show(pushed: Pushed): void {
    this.received.push(pushed);
    const { payload } = pushed;
    for (const [tag, { payload: shown, ids }] of [...this.#shown]) {
      const left = ids.difference(new Set(payload.removed_ids));
      if (left.size === 0) this.#shown.delete(tag);
      else this.#shown.set(tag, { payload: shown, ids: left });
    }
    if (payload.kind === 'message') this.#shown.set(payload.tag, { payload, ids: new Set(payload.message_ids) });
  }

  /** RFC 8291, section 3. */
  decrypt(body: Buffer): Buffer {
    const salt = body.subarray(0, 16);
    assert.equal(body.readUInt32BE(16), 4096);
    const length = body.readUInt8(20);
    const serverPoint = body.subarray(21, 21 + length);
    const sealed = body.subarray(21 + length);
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), this.#publicKey, serverPoint, Buffer.of(1)]);
    const secret = hmac(hmac(this.#auth, this.#keys.computeSecret(serverPoint)), about);
    const random = hmac(salt, secret);
    const key = hmac(random, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16);
    const nonce = hmac(random, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = padded.lastIndexOf(2);
    assert(end >= 0 && padded.subarray(end + 1).every((byte) => byte === 0), 'the padding is wrong');
    return padded.subarray(0, end);
  }
}

function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}
