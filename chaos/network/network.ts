/**
 * The network of a run: one namespace for each host, and a switch between them. It needs only `ip` and the rights of root. No interface of the
 * machine is part of it, so runs do not disturb each other.
 */
import { execFileSync } from 'node:child_process';

/** Namespaces, directories and mounts of a run begin with this and the process id of the run. */
export const RUN_PREFIX = 'heddle-chaos-';

/** Where clients are. */
export const CLIENTS = 'clients';

/** No interface has this address, so packets to it disappear in the switch. */
const NOBODY = '02:00:00:00:00:01';

/** A one-way pair of hosts. */
type Direction = readonly [from: string, to: string];

export class Network {
  readonly #run: string;
  readonly #hosts: readonly string[];
  readonly #prefix: string;
  /** How many faults cut each direction now. */
  readonly #cuts = new Map<string, number>();

  /**
   * @param run the name of the run
   * @param prefix of the addresses: the first host has 1 behind it
   */
  constructor(run: string, hosts: readonly string[], prefix = '10.97.0.') {
    this.#run = run;
    this.#hosts = hosts;
    this.#prefix = prefix;
  }

  create(): void {
    const network = this.#namespace('switch');
    ip('netns', 'add', network);
    ip('-netns', network, 'link', 'add', 'switch', 'type', 'bridge');
    ip('-netns', network, 'link', 'set', 'dev', 'switch', 'up');
    for (const host of this.#hosts) {
      const namespace = this.#namespace(host);
      ip('netns', 'add', namespace);
      ip('-netns', namespace, 'link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', host, 'netns', network);
      ip('-netns', network, 'link', 'set', 'dev', host, 'master', 'switch', 'up');
      ip('-netns', namespace, 'address', 'add', `${this.addressOf(host)}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) ip('-netns', namespace, 'link', 'set', 'dev', device, 'up');
    }
  }

  addressOf(host: string): string {
    const index = this.#hosts.indexOf(host);
    if (index < 0) throw new Error(`there is no host ${host}`);
    return `${this.#prefix}${index + 1}`;
  }

  /** The command that runs the program of its arguments at a host. */
  commandAt(host: string): readonly string[] {
    return ['nsenter', `--net=/run/netns/${this.#namespace(host)}`];
  }

  /** From now on, packets from one host to the other are lost. */
  cut([from, to]: Direction): void {
    if (this.#count(from, to, 1) > 1) return;
    const address = [this.addressOf(to), 'lladdr', NOBODY, 'nud', 'permanent', 'dev', 'eth0'];
    ip('-netns', this.#namespace(from), 'neighbour', 'replace', ...address);
  }

  heal([from, to]: Direction): void {
    if (this.#count(from, to, -1) > 0) return;
    ip('-netns', this.#namespace(from), 'neighbour', 'del', this.addressOf(to), 'dev', 'eth0');
  }

  /** Pulls the cable of a host out of the switch. */
  unplug(host: string): void {
    ip('-netns', this.#namespace('switch'), 'link', 'set', 'dev', host, 'down');
  }

  plugIn(host: string): void {
    ip('-netns', this.#namespace('switch'), 'link', 'set', 'dev', host, 'up');
  }

  #count(from: string, to: string, change: number): number {
    const count = (this.#cuts.get(`${from} ${to}`) ?? 0) + change;
    this.#cuts.set(`${from} ${to}`, count);
    return count;
  }

  #namespace(host: string): string {
    return `${this.#run}-${host}`;
  }
}

export function ip(...args: readonly string[]): string {
  return execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
