/**
 * What `docs/cluster.md` asks for: three empty machines in a network, and a bucket. One more machine is that of the people who use Heddle.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutBrowser } from '@heddle/server/testing/clients/chromium.ts';
import { hasS3Server } from '@heddle/server/testing/services/s3-server.ts';
import { buildServer } from '../../scripts/server-package/build.ts';
import { ensureWebBuild } from '../../scripts/web-build/ensure.ts';
import { directoryOf, RUN_NAME, removeAbandoned, removeRun } from '../network/leftovers.ts';
import { CLIENTS, Network } from '../network/network.ts';
import { whatIsMissing } from '../requirements.ts';
import { Machine } from './machine.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The first part of the addresses in the manual. */
const PREFIX = '10.0.0.';
const STORAGE = 'storage';
const STORAGE_PORT = 7070;
const BUCKET = 'heddle';

export const MACHINES = ['one', 'two', 'three'] as const;
export type MachineName = (typeof MACHINES)[number];

/** The packages of the manual that other runs do not need, by a file of each. */
const PACKAGES: Readonly<Record<string, string>> = {
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  'etcd-client': '/usr/bin/etcdctl',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd/__init__.py',
  keepalived: '/usr/sbin/keepalived',
  'nats-server': '/usr/sbin/nats-server',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  caddy: '/usr/bin/caddy',
};

/** What this machine lacks to try the manual, as a sentence. Undefined if it lacks nothing. */
export function whatManualLacks(): string | undefined {
  const packages = Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name] ?? ''));
  const missing = whatIsMissing();
  if (missing !== undefined) return missing;
  if (packages.length > 0) return `The manual needs Debian 12 with the packages ${packages.join(', ')}.`;
  if (withoutBrowser !== false) return `The manual needs a browser, but ${withoutBrowser}.`;
  return hasS3Server() ? undefined : 'The manual needs a bucket, and there is no S3-compatible server here.';
}

export class Site {
  readonly network: Network;
  readonly machines: Readonly<Record<MachineName, Machine>>;
  readonly clients: Machine;
  /** For a browser that this process starts at the machine of the people. */
  readonly browserDirectory: string;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.network = new Network(RUN_NAME, [...MACHINES, STORAGE, CLIENTS], PREFIX);
    const shared = { [join(directory, 'package')]: '/opt/heddle-package', [dirname(process.execPath)]: '/opt/node' };
    // Stands in for the name server.
    const hosts = `${PREFIX}100 chat.example.com\n`;
    const options = { network: this.network, directory, hosts };
    const make = (name: MachineName) => new Machine(name, { ...options, shared });
    this.machines = { one: make('one'), two: make('two'), three: make('three') };
    this.browserDirectory = join(directory, 'browser');
    const { browserDirectory: browser } = this;
    this.clients = new Machine(CLIENTS, { ...options, shared: { ...shared, [ROOT]: ROOT, [browser]: browser } });
  }

  static async open(): Promise<Site> {
    // Other runs look at it to learn whether this one has been killed.
    process.title = `chaos: ${process.title}`;
    await removeAbandoned();
    const directory = directoryOf(RUN_NAME);
    mkdirSync(directory);
    const site = new Site(directory);
    await buildPackage(join(site.#directory, 'package'));
    mkdirSync(site.browserDirectory);
    site.network.create();
    site.#startStorage();
    for (const machine of [...Object.values(site.machines), site.clients]) await machine.install();
    return site;
  }

  /** Ends and removes everything, also what a failed start has left. */
  static async remove(): Promise<void> {
    await removeRun(RUN_NAME);
  }

  /** What a person edits in `heddle.env`. */
  get edits(): Readonly<Record<string, string>> {
    return {
      HEDDLE_S3_ENDPOINT: `http://${this.network.addressOf(STORAGE)}:${STORAGE_PORT}`,
      HEDDLE_S3_BUCKET: BUCKET,
      HEDDLE_S3_ACCESS_KEY_ID: 'loom',
      HEDDLE_S3_SECRET_ACCESS_KEY: 'shuttle',
    };
  }

  #startStorage(): void {
    const [data, notes] = ['data', 'notes'].map((name) => join(this.#directory, STORAGE, name));
    mkdirSync(join(data ?? '', BUCKET), { recursive: true });
    mkdirSync(notes ?? '');
    const [command = '', ...rest] = this.network.commandAt(STORAGE);
    const account = ['--access', 'loom', '--secret', 'shuttle'];
    const place = ['--port', `${this.network.addressOf(STORAGE)}:${STORAGE_PORT}`];
    const program = process.env.HEDDLE_TEST_S3_SERVER || 'versitygw';
    const files = ['posix', '--sidecar', notes ?? '', data ?? ''];
    spawn(command, [...rest, program, ...account, ...place, '--quiet', ...files], { stdio: 'ignore' });
  }
}

/** The package of this repository, as npm unpacks it with its dependencies. */
async function buildPackage(directory: string): Promise<void> {
  const built = join(directory, '..', 'built');
  await buildServer(built, await ensureWebBuild());
  mkdirSync(directory);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', directory], { cwd: built });
  const [archive = ''] = globSync(join(directory, 'heddle-*.tgz'));
  const options = ['--prefer-offline', '--omit=optional', '--no-save', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', directory, ...options, archive], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
