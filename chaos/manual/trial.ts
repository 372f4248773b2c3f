/** Follows the manual at a site: runs its blocks where they say, and knows which have been tried. */
import assert from 'node:assert/strict';
import { until } from '@heddle/server/testing/server/until.ts';
import type { Machine } from './machine.ts';
import { type Block, blocksOf, manualText } from './manual.ts';
import { MACHINES, type MachineName, type Site } from './site.ts';

export class Trial {
  readonly site: Site;
  readonly #blocks = blocksOf(manualText());
  readonly #tried = new Set<Block>();

  constructor(site: Site) {
    this.site = site;
  }

  /** The blocks that have not been run. */
  get untried(): readonly string[] {
    return this.#blocks
      .filter((block) => !this.#tried.has(block))
      .map(({ section, line }) => `${section} (line ${line})`);
  }

  /** The blocks of a section, which must be so many. */
  section(name: string, count: number): readonly Block[] {
    const found = this.#blocks.filter(({ section }) => section === name);
    assert.equal(found.length, count, `the section ${name} of docs/cluster.md`);
    return found;
  }

  /** Runs blocks one after the other, each where it says. Returns the output of the last one. */
  async follow(...blocks: readonly Block[]): Promise<string> {
    let out = '';
    for (const block of blocks)
      for (const machine of await this.#machinesOf(block)) out = await this.runAt(machine, block);
    return out;
  }

  /** Repeats a block until its output is right. */
  async repeat(block: Block, expected: RegExp): Promise<string> {
    return until(async () => {
      const [machine] = await this.#machinesOf(block);
      assert(machine !== undefined);
      const { code, out } = await this.#run(machine, block);
      return code === 0 && expected.test(out) ? out : undefined;
    }, `${expected} from the block in line ${block.line} of docs/cluster.md`);
  }

  /** Runs a block at a machine. It must succeed. */
  async runAt(machine: Machine, block: Block): Promise<string> {
    const { code, out } = await this.#run(machine, block);
    assert.equal(code, 0, `docs/cluster.md:${block.line} on ${machine.name}: ${out}`);
    return out;
  }

  /** The machine whose PostgreSQL is the primary, as one of the given machines says. */
  async primary(asked: MachineName): Promise<MachineName> {
    return until(async () => {
      const { out } = await this.site.machines[asked].run('patronictl list --format tsv');
      const [, name] = /^heddle\t(\w+)\t\S+\tLeader\trunning/m.exec(out) ?? [];
      return MACHINES.find((each) => each === name);
    }, 'a primary');
  }

  /** Resolves when the doctor finds no fault. */
  async isWell(asked: MachineName): Promise<void> {
    let found = '';
    await until(async () => {
      const { code, out } = await this.site.machines[asked].run('heddle doctor --cluster');
      found = out;
      return code === 0;
    }, 'heddle doctor --cluster to find no fault').catch((error: Error) => {
      throw new Error(`${error.message}\n${found}`);
    });
  }

  async #run(machine: Machine, block: Block) {
    this.#tried.add(block);
    return machine.run(block.script);
  }

  async #machinesOf({ where, line }: Block): Promise<readonly Machine[]> {
    const { machines } = this.site;
    if (/^each machine\b/.test(where)) return MACHINES.map((name) => machines[name]);
    const names: Readonly<Record<string, () => Promise<string>>> = {
      'the primary': () => this.primary('one'),
      'the last machine': async () => 'one',
    };
    const name = (await names[where]?.()) ?? where;
    const known = MACHINES.find((each) => each === name);
    assert(known !== undefined, `docs/cluster.md:${line}: there is no machine ${where}`);
    return [machines[known]];
  }
}
