import { randomBytes } from 'node:crypto';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import { TestWebPushDevice } from '@heddle/server/testing/services/web-push-service.ts';
import type { PushSubscription } from './population.ts';

/** Services of vendors answer after about so long, in milliseconds. */
const ANSWER_AFTER = 100;

/** A push that arrived. */
export interface Arrived {
  readonly device: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly messageIds: readonly number[];
}

/**
 * The push service of browsers, in the process of the harness. It decrypts after the measurement, because the work of browsers must not
 * count.
 */
export class PushService {
  readonly #devices: readonly TestWebPushDevice[];
  readonly #server: HttpServer;
  readonly #numbers = new Map<string, number>();
  #encrypted: { readonly device: number; readonly at: number; readonly body: Buffer }[] = [];
  readonly #arrived: Arrived[] = [];

  private constructor(devices: number) {
    const visitor = new Visitor('http://127.0.0.1');
    this.#devices = Array.from({ length: devices }, () => new TestWebPushDevice(visitor));
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(devices: number): Promise<PushService> {
    const service = new PushService(devices);
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    const { port } = service.#server.address() as AddressInfo;
    for (const [number, device] of service.#devices.entries()) {
      const path = `/push/${randomBytes(12).toString('base64url')}`;
      service.#numbers.set(path, number);
      device.endpoint = `http://127.0.0.1:${port}${path}`;
    }
    return service;
  }

  /** The subscriptions of its devices. Each is of the person with the same number. */
  get subscriptions(): readonly PushSubscription[] {
    return this.#devices.map(({ subscription }) => subscription);
  }

  /** What has arrived so far, in order. */
  get arrived(): readonly Arrived[] {
    for (const { device, at, body } of this.#encrypted) {
      const payload = JSON.parse(this.#devices[device]?.decrypt(body).toString() ?? '');
      this.#arrived.push({ device, at, messageIds: payload.message_ids ?? [] });
    }
    this.#encrypted = [];
    return this.#arrived;
  }

  /** Each push so far has told its device of a message for the first time. Throws otherwise. */
  checkNothingRepeated(): void {
    const known = new Set<string>();
    for (const { device, messageIds } of this.arrived) {
      const names = messageIds.map((id) => `${device} ${id}`);
      if (names.every((name) => known.has(name))) throw new Error(`device ${device} got ${messageIds} again`);
      for (const name of names) known.add(name);
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now();
    const device = this.#numbers.get(request.url ?? '');
    const body = Buffer.concat(await request.toArray());
    if (device === undefined) return void response.writeHead(404).end();
    this.#encrypted.push({ device, at, body });
    await delay(ANSWER_AFTER);
    response.writeHead(201).end();
  }
}
