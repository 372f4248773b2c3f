/** A real server with several workers, on the embedded PostgreSQL, and connections that each stay with one worker. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { apiPrefix } from '@heddle/api/contract.ts';
import { isAlive, postgresProcessesIn, signalProcess } from '@heddle/embedded-postgres/processes.ts';
import type { Json } from '../clients/json.ts';
import { temporaryDataDirectory } from '../server/data-directory.ts';
import { until } from '../server/until.ts';
import { beginHeddle, type HeddleServer } from './heddle-process.ts';

const PASSWORD = 'a shuttle flies through the shed';

export interface LogLine extends Json {
  readonly msg: string;
  readonly worker?: number;
  readonly pid?: number;
}

export class ServerWithWorkers {
  readonly server: HeddleServer;
  /** The lines of the log, of all processes. */
  readonly log: readonly LogLine[];
  readonly #dataDirectory: string;
  readonly #connections: WorkerConnection[] = [];
  #authorization = '';

  private constructor(server: HeddleServer, log: readonly LogLine[], dataDirectory: string) {
    this.server = server;
    this.log = log;
    this.#dataDirectory = dataDirectory;
  }

  /** Resolves when all workers serve. Call `end` at the end. */
  static async start(workers: number, settings: Readonly<Record<string, string>> = {}): Promise<ServerWithWorkers> {
    const data = await temporaryDataDirectory();
    const { child, listening } = beginHeddle({
      HEDDLE_DATA_DIR: data.path,
      HEDDLE_OWNER_PASSWORD: PASSWORD,
      HEDDLE_RATE_LIMITS: 'off',
      HEDDLE_WORKERS: String(workers),
      ...settings,
    });
    // From the beginning: the first worker can say that it serves before this process sees that the server listens.
    const log = logOf(child);
    const started = new ServerWithWorkers(await listening, log, data.path);
    await until(() => started.#served.length >= workers, 'all workers to serve');
    const { body } = await started.connect().call('POST', '/fetch_api_key', {
      username: 'owner@localhost',
      password: PASSWORD,
    });
    started.closeConnections();
    started.#authorization = `Basic ${btoa(`owner@localhost:${body.api_key}`)}`;
    return started;
  }

  /** The workers that run, as process ids. */
  get workers(): readonly number[] {
    return this.#served.filter(isAlive);
  }

  /** All workers that ever served. */
  get #served(): readonly number[] {
    return this.lines('a worker serves').flatMap(({ pid }) => pid ?? []);
  }

  postgresProcesses(): readonly number[] {
    return postgresProcessesIn(join(this.#dataDirectory, 'postgres', 'data'));
  }

  /** The lines with this message. */
  lines(message: string): readonly LogLine[] {
    return this.log.filter(({ msg }) => msg === message);
  }

  /** A connection of the owner, which stays with one worker. */
  connect(): WorkerConnection {
    const connection = new WorkerConnection(this.server.url, this.#authorization);
    this.#connections.push(connection);
    return connection;
  }

  /** An idle connection keeps a worker that retires for more than a minute. */
  closeConnections(): void {
    for (const connection of this.#connections.splice(0)) connection.close();
  }

  /** Connections to so many different workers. */
  async connectToEach(workers: number): Promise<readonly WorkerConnection[]> {
    const found = new Map<string, WorkerConnection>();
    await until(async () => {
      const connection = this.connect();
      await connection.call('GET', '/server_settings');
      if (found.has(connection.worker)) connection.close();
      else found.set(connection.worker, connection);
      return found.size === workers;
    }, `connections to ${workers} workers`);
    return [...found.values()];
  }

  /** Ends all processes, whatever the test left, and removes the data. */
  async end(): Promise<void> {
    await this.server.stop('SIGKILL');
    for (const pid of [...this.workers, ...this.postgresProcesses()]) signalProcess(pid, 'SIGKILL');
    await until(() => this.postgresProcesses().length === 0, 'PostgreSQL to end');
    await rm(this.#dataDirectory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Receives the lines that a server logs from now on. */
function logOf({ stderr }: ChildProcess): readonly LogLine[] {
  assert(stderr !== null);
  const log: LogLine[] = [];
  createInterface(stderr).on('line', (text) => void log.push(JSON.parse(text)));
  return log;
}

export interface WorkerAnswer {
  readonly status: number;
  readonly body: Json;
}

/** One connection, which is kept for all requests. */
export class WorkerConnection {
  /** Names the worker that gave the last response. */
  worker = '';
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #authorization: string;

  constructor(url: string, authorization: string) {
    this.#url = url;
    this.#authorization = authorization;
  }

  call(method: string, path: string, fields: Readonly<Record<string, string>> = {}): Promise<WorkerAnswer> {
    const form = new URLSearchParams(fields).toString();
    const isRead = method === 'GET';
    const target = `${this.#url}${apiPrefix}${path}${isRead && form !== '' ? `?${form}` : ''}`;
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    const headers = {
      host: 'localhost',
      ...(this.#authorization !== '' && { authorization: this.#authorization }),
      ...(!isRead && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const outgoing = request(target, { method, agent: this.#agent, headers }, (incoming) => {
      // Each process begins its ids with other characters.
      this.worker = String(incoming.headers['x-request-id']).split('-').slice(0, -1).join('-');
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', reject);
      incoming.on('end', () => {
        try {
          resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) });
        } catch (error) {
          reject(error);
        }
      });
    });
    outgoing.on('error', reject);
    outgoing.end(isRead ? undefined : form);
    return promise;
  }

  /** Returns the body of a success. */
  async ok(method: string, path: string, fields: Readonly<Record<string, string>> = {}): Promise<Json> {
    const { status, body } = await this.call(method, path, fields);
    assert.equal(status, 200, `${method} ${path} answered ${JSON.stringify(body)}`);
    return body;
  }

  send(content: string): Promise<Json> {
    return this.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'warp', content });
  }

  close(): void {
    this.#agent.destroy();
  }
}
