/** A push service for tests with the protocol of the real one, and phones that decrypt its notifications. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import sodium from 'libsodium-wrappers';
import type { TestClient } from '../clients/client.ts';
import type { Json } from '../clients/json.ts';

/** A received request with its content. */
export interface Arrival {
  /** The path after `/api/v1/remotes/`. */
  readonly endpoint: string;
  readonly body: Json;
}

/** How the service responds. Undefined: as usual. */
export type Behaviour = (endpoint: string, response: ServerResponse, body: Json) => boolean;

/** A notification for one device. */
export interface Notified {
  readonly token: string;
  readonly request: Json;
}

interface Registered {
  readonly id: number;
  readonly token: string;
}

const ID = 'heddle-test';
const KEY = 'the-key-of-the-test';

export class TestPushService {
  readonly arrivals: Arrival[] = [];
  /** Tokens of devices that the service reports as gone. */
  readonly gone = new Set<string>();
  /** Responds instead of the service if it returns true. */
  behaviour: Behaviour | undefined;
  readonly #keys: { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array };
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new Set<Socket>();
  readonly #registered: Registered[] = [];
  #waiting: { readonly wants: (arrival: Arrival) => boolean; readonly take: (arrival: Arrival) => void }[] = [];

  private constructor() {
    this.#keys = sodium.crypto_box_keypair();
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(): Promise<TestPushService> {
    await sodium.ready;
    const service = new TestPushService();
    await service.listen(0);
    return service;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The environment of a server that uses this service. */
  get environment() {
    return { HEDDLE_PUSH_URL: `http://127.0.0.1:${this.port}`, HEDDLE_PUSH_ID: ID, HEDDLE_PUSH_KEY: KEY };
  }

  /** The public key that phones use. */
  get publicKey(): string {
    return base64(this.#keys.publicKey);
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves with the first matching request, already received or not. */
  async arrival(wants: (arrival: Arrival) => boolean): Promise<Arrival> {
    const there = this.arrivals.find(wants);
    if (there !== undefined) return there;
    return new Promise((take) => this.#waiting.push({ wants, take }));
  }

  /** The notifications for devices with encrypted registrations so far, in order. */
  get notified(): readonly Notified[] {
    return this.arrivals
      .filter(({ endpoint }) => endpoint === 'push/e2ee/notify')
      .flatMap(({ body }) => body.push_requests.map((request: Json) => this.#notifiedBy(request)));
  }

  #notifiedBy(request: Json): Notified {
    const device = this.#registered.find(({ id }) => id === request.device_id);
    assert(device !== undefined, `there is no device ${request.device_id}`);
    return { token: device.token, request };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const endpoint = (request.url ?? '').replace('/api/v1/remotes/', '');
    const isJson = request.headers['content-type'] === 'application/json';
    const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    const arrival = { endpoint, body };
    const isRight = request.headers.authorization === `Basic ${Buffer.from(`${ID}:${KEY}`).toString('base64')}`;
    if (this.behaviour?.(endpoint, response, body) !== true) {
      if (isRight) this.#answer(arrival, response);
      else refuse(response, 401, 'INVALID_ZULIP_SERVER');
      this.arrivals.push(arrival);
    }
    const taking = this.#waiting.filter(({ wants }) => wants(arrival));
    this.#waiting = this.#waiting.filter((one) => !taking.includes(one));
    for (const { take } of taking) take(arrival);
  }

  #answer({ endpoint, body }: Arrival, response: ServerResponse): void {
    switch (endpoint) {
      case 'push/e2ee/register':
        this.#register(body, response);
        break;
      case 'push/e2ee/notify':
        succeed(response, {
          delete_device_ids: body.push_requests
            .map((request: Json) => this.#notifiedBy(request))
            .filter(({ token }: Notified) => this.gone.has(token))
            .map(({ request }: Notified) => request.device_id),
          android_successfully_sent_count: 1,
          apple_successfully_sent_count: 0,
        });
        break;
      case 'push/notify': {
        const gone = (tokens: readonly string[]) => tokens.filter((token) => this.gone.has(token));
        const deleted = { android_devices: gone(body.android_devices), apple_devices: gone(body.apple_devices) };
        succeed(response, { total_android_devices: 1, total_apple_devices: 1, deleted_devices: deleted });
        break;
      }
      case 'push/test_notification':
        if (this.gone.has(body.token)) refuse(response, 400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN');
        else succeed(response, {});
        break;
      default:
        succeed(response, {});
    }
  }

  #register(body: Json, response: ServerResponse): void {
    const registration = this.#unseal(body.encrypted_push_registration);
    if (body.bouncer_public_key !== this.publicKey) refuse(response, 400, 'INVALID_BOUNCER_PUBLIC_KEY');
    else if (registration === undefined) refuse(response, 400, 'BAD_REQUEST');
    else if (registration.timestamp < Date.now() / 1000 - 86_400) refuse(response, 400, 'REQUEST_EXPIRED');
    else {
      const device = { id: 1000 + this.#registered.length, token: registration.token };
      this.#registered.push(device);
      succeed(response, { device_id: device.id });
    }
  }

  /** Decrypts what a phone has encrypted for the service. */
  #unseal(text: string): Json {
    const { publicKey, privateKey } = this.#keys;
    try {
      return JSON.parse(sodium.crypto_box_seal_open(Buffer.from(text, 'base64'), publicKey, privateKey, 'text'));
    } catch {
      return undefined;
    }
  }
}

function succeed(response: ServerResponse, values: object): void {
  response.end(JSON.stringify({ result: 'success', msg: '', ...values }));
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.end(JSON.stringify({ result: 'error', msg: `The test says ${code}`, code }));
}

let made = 0;

/**
 * A phone with an encrypted registration: with a pair of keys as at feature level 421, or with one key as at later
 * levels.
 */
export class TestPhone {
  readonly token: string;
  readonly accountId: string;
  readonly #kind: 'apns' | 'fcm';
  readonly #keys = sodium.crypto_box_keypair();
  readonly #secret = sodium.randombytes_buf(32);
  readonly #hasOneKey: boolean;

  constructor({
    kind = 'fcm',
    hasOneKey = false,
  }: { readonly kind?: 'apns' | 'fcm'; readonly hasOneKey?: boolean } = {}) {
    made += 1;
    this.token = `${Buffer.from(`phone ${made}`).toString('hex')}`;
    // More than a JavaScript number can represent.
    this.accountId = String(2n ** 62n + BigInt(made));
    this.#kind = kind;
    this.#hasOneKey = hasOneKey;
  }

  /** The parameters of its registration. */
  registration(service: TestPushService, { timestamp = Math.floor(Date.now() / 1000) } = {}): Json {
    const registration = { token: this.token, token_kind: this.#kind, ios_app_id: null, timestamp };
    const bouncerKey = Buffer.from(service.publicKey, 'base64');
    return {
      token_kind: this.#kind,
      push_account_id: this.accountId,
      ...(this.#hasOneKey
        ? { push_key: Buffer.concat([Buffer.of(0x31), this.#secret]).toString('base64') }
        : { push_public_key: base64(this.#keys.publicKey) }),
      bouncer_public_key: service.publicKey,
      encrypted_push_registration: base64(sodium.crypto_box_seal(JSON.stringify(registration), bouncerKey)),
    };
  }

  /** Registers, and resolves when the service knows the phone. */
  async register(client: TestClient, service: TestPushService): Promise<this> {
    const queue = await client.register({ event_types: ['push_device'] });
    await client.ok('POST', '/mobile_push/register', this.registration(service));
    const isOver = (event: Json) => event.push_account_id === this.accountId && event.status !== 'pending';
    const events = await queue.upTo(isOver);
    assert.equal(events.find(isOver)?.status, 'active');
    return this;
  }

  /** The received notifications, decrypted, in order. */
  received(service: TestPushService): readonly Json[] {
    return service.notified
      .filter(({ token }) => token === this.token)
      .map(({ request }) => {
        assert.equal(BigInt(JSON.stringify(request.payload.push_account_id)) > 2n ** 61n, true);
        return this.#decrypt(request.payload.encrypted_data);
      });
  }

  #decrypt(text: string): Json {
    const bytes = Buffer.from(text, 'base64');
    if (!this.#hasOneKey) {
      return JSON.parse(sodium.crypto_box_seal_open(bytes, this.#keys.publicKey, this.#keys.privateKey, 'text'));
    }
    return JSON.parse(
      sodium.crypto_secretbox_open_easy(bytes.subarray(24), bytes.subarray(0, 24), this.#secret, 'text'),
    );
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
