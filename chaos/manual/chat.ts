/** A program and a person in a browser that chat at the machine of the people. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '@heddle/server/testing/server/until.ts';

import type { ChatReport, ChatterSettings, Progress } from './chatter.ts';
import type { Machine } from './machine.ts';
import { Person } from './person.ts';

const PROGRAM = join(import.meta.dirname, 'chatter.ts');
const CHANNEL = 'looms';
/** Where the person writes. */
const WORDS_TOPIC = 'words';
const ADDRESS = { url: 'https://chat.example.com', email: 'owner@chat.example.com' };

/** So many more messages show that sending works. */
const SOME_MESSAGES = 5;

export interface ChatOptions {
  /** The certificate of the cluster. */
  readonly certificate: string;
  /** The password of the owner. */
  readonly password: string;
  /** For the browser, at the same path at the machine. */
  readonly directory: string;
}

export class Chat {
  readonly #child: ChildProcess;
  #person: Person | undefined;
  #last: Progress | ChatReport = { acknowledged: 0, failed: 0, channelId: 0 };
  #errors = '';
  readonly #written: string[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    if (child.stdout) {
      createInterface(child.stdout).on('line', (line) => {
        this.#last = JSON.parse(line);
      });
    }
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors += chunk;
    });
  }

  static async begin(clients: Machine, { certificate, password, directory }: ChatOptions): Promise<Chat> {
    const { code, out } = await clients.run(`cat > /root/heddle.crt <<'END'\n${certificate}END\n`);
    assert.equal(code, 0, out);
    const account = { ...ADDRESS, password };
    const settings: ChatterSettings = { ...account, channel: CHANNEL, wordsTopic: WORDS_TOPIC };
    const [command = '', ...rest] = clients.command;
    const child = spawn(command, [...rest, '/opt/node/node', PROGRAM, JSON.stringify(settings)], {
      env: { NODE_EXTRA_CA_CERTS: '/root/heddle.crt', PATH: process.env.PATH },
      stdio: 'pipe',
    });
    const chat = new Chat(child);
    await chat.#programGoesOn();
    const route = `channel/${chat.#last.channelId}/topic/${WORDS_TOPIC}`;
    chat.#person = await Person.logIn(clients, account, { directory, route });
    await chat.goesOn();
    return chat;
  }

  /** Resolves when more messages of both are acknowledged. */
  async goesOn(): Promise<void> {
    const text = await this.#write();
    await this.#programGoesOn();
    await this.#person?.hasSent(text);
  }

  /** Resolves when sends have failed, and work again. */
  async pausesAndGoesOn(): Promise<void> {
    const { failed } = this.#last;
    const text = await this.#write();
    await until(() => this.#now().failed > failed, 'a send that fails');
    await this.goesOn();
    await this.#person?.hasSent(text);
  }

  /** Ends both. The program says what it has sent, and what is wrong with it. */
  async end(): Promise<ChatReport & { readonly hasOnePage: boolean }> {
    const hasOnePage = (await this.#person?.hasOnePage()) ?? false;
    await this.#person?.leave();
    const ended = once(this.#child, 'close');
    this.#child.stdin?.end();
    await ended;
    assert('wrong' in this.#last, this.#errors);
    assert.deepEqual(this.#last.words, ['hello', ...this.#written]);
    return { ...this.#last, hasOnePage };
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#person?.leave().catch(() => undefined);
  }

  async #write(): Promise<string> {
    const text = `word ${this.#written.length + 1} of the person`;
    this.#written.push(text);
    await this.#person?.write(text);
    return text;
  }

  async #programGoesOn(): Promise<void> {
    const { acknowledged } = this.#last;
    await until(() => this.#now().acknowledged >= acknowledged + SOME_MESSAGES, 'more messages of the program');
  }

  #now(): Progress {
    assert.equal(this.#child.exitCode, null, `the program ended: ${this.#errors}`);
    return this.#last;
  }
}
