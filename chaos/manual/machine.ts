/**
 * A machine that a test makes: a network namespace of the run with a file system, processes and a name of its own. Its disk begins as a copy
 * of that of this machine, and keeps changes over a loss of power.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Network } from '../network/network.ts';

const STAND_INS = join(import.meta.dirname, 'stand-ins');
/** The names under which the stand-in for systemd is called. */
const NAMES_OF_SYSTEMD = ['systemctl', 'systemd-run', 'journalctl'];

/** The first process of a machine. `$1` is its directory, `$2` its name. What it mounts disappears with it. */
const BOOT = `
set -eu
cd "$1"
hostname "$2"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/changes,workdir=$1/work" root
shift 2
mount -t proc proc root/proc
mount --rbind /dev root/dev
mount --rbind /sys root/sys
mount -t tmpfs tmpfs root/run
install --directory --owner=postgres --group=postgres --mode=2775 root/run/postgresql
while [ $# -gt 0 ]; do
  mkdir -p "root$2"
  mount --bind "$1" "root$2"
  shift 2
done
exec chroot root /usr/local/sbin/systemctl-machine
`;

export interface MachineOptions {
  readonly network: Network;
  /** The directory of the run. */
  readonly directory: string;
  /** Directories of this machine, and where it has them. */
  readonly shared: Readonly<Record<string, string>>;
  /** The content of `/etc/hosts`. */
  readonly hosts: string;
}

export interface Ran {
  readonly code: number | null;
  readonly out: string;
}

export class Machine {
  readonly name: string;
  readonly #options: MachineOptions;
  #outer: ChildProcess | undefined;
  #first = 0;
  /** How many disks it had. */
  #disks = 0;

  constructor(name: string, options: MachineOptions) {
    this.name = name;
    this.#options = options;
  }

  /** Gives it an empty disk, and starts it. */
  async install(): Promise<void> {
    this.#disks += 1;
    const place = this.#directory;
    mkdirSync(place, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', place]);
    for (const name of ['changes', 'work', 'root']) mkdirSync(join(place, name));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(place, 'changes', path)), { recursive: true });
      writeFileSync(join(place, 'changes', path), text);
    };
    write('etc/hosts', `127.0.0.1 localhost\n127.0.1.1 ${this.name}\n${this.#options.hosts}`);
    write('root/.bashrc', '');
    chmodSync(join(place, 'changes', 'root'), 0o700);
    const programs = join(place, 'changes', 'usr', 'local', 'sbin');
    mkdirSync(programs, { recursive: true });
    for (const name of readdirSync(STAND_INS)) copyFileSync(join(STAND_INS, name), join(programs, name));
    for (const name of [...NAMES_OF_SYSTEMD, 'systemctl-machine'])
      copyFileSync(join(STAND_INS, 'systemd.py'), join(programs, name));
    mkdirSync(join(place, 'changes', 'usr', 'local', 'bin'), { recursive: true });
    symlinkSync('/opt/node/node', join(place, 'changes', 'usr', 'local', 'bin', 'node'));
    await this.start();
  }

  /** Switches it on. Units that are enabled start. */
  async start(): Promise<void> {
    const { network, shared } = this.#options;
    const [command = '', ...rest] = network.commandAt(this.name);
    const own = ['unshare', '--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child'];
    const mounts = Object.entries(shared).flat();
    const boot = ['sh', '-c', BOOT, 'boot', this.#directory, this.name, ...mounts];
    const log = openSync(join(this.#directory, 'boot.log'), 'a');
    const outer = spawn(command, [...rest, ...own, ...boot], { stdio: ['ignore', log, log], env: ENVIRONMENT });
    closeSync(log);
    this.#outer = outer;
    await until(async () => {
      if (outer.exitCode !== null)
        throw new Error(
          `the machine ${this.name} did not start: ${readFileSync(join(this.#directory, 'boot.log'), 'utf8')}`,
        );
      this.#first = childOf(outer.pid ?? 0) ?? 0;
      // Before that, its programs would have the files of this machine.
      if (rootOf(this.#first) !== join(this.#directory, 'root')) return false;
      return (await this.run('test -S /run/stand-in/control')).code === 0;
    }, `the machine ${this.name} to start`);
  }

  /** Switches it off, as a loss of power does. */
  async cutPower(): Promise<void> {
    if (this.#outer === undefined || this.#outer.exitCode !== null || this.#outer.signalCode !== null) return;
    const ended = once(this.#outer, 'exit');
    process.kill(this.#first, 'SIGKILL');
    await ended;
  }

  /** The command that runs the program of its arguments on it. */
  get command(): readonly string[] {
    const parts = ['--mount', '--pid', '--uts', '--ipc', '--net', '--root'];
    return ['nsenter', `--target=${this.#first}`, ...parts, '--wdns=/root'];
  }

  /** Runs a script as root in a new shell. */
  async run(script: string): Promise<Ran> {
    const [command = '', ...rest] = this.command;
    const shell = ['bash', '--norc', '-euo', 'pipefail', '-c', `. ~/.bashrc\n${script}`];
    const child = spawn(command, [...rest, ...shell], { stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        out += chunk;
      });
    const [code] = await once(child, 'close');
    return { code, out };
  }

  get #directory(): string {
    return join(this.#options.directory, `${this.#disks}`, this.name);
  }
}

const ENVIRONMENT = {
  HOME: '/root',
  LANG: 'C.UTF-8',
  // Without it, bash takes itself for the shell of a remote login if its input is a socket, and reads ~/.bashrc.
  SHLVL: '1',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

function rootOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/root`);
  } catch {
    return undefined;
  }
}

function childOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || undefined;
  } catch {
    return undefined;
  }
}
