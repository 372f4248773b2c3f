import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Check, runChecks } from './run-checks.ts';
import { INSTALLED } from './successes.ts';

/** A small repository, and a check of it that counts its runs. */
async function repository(context: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'heddle-checks-'));
  context.after(() => rm(root, { recursive: true }));
  const write = async (path: string, text: string) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await write('server/a.ts', 'a');
  await write('docs/b.md', 'b');
  const ran: (readonly string[] | undefined)[] = [];
  let result = true;
  const check: Check = {
    name: 'a check',
    run: async (changed) => {
      ran.push(changed);
      return result;
    },
  };
  const run = async (options: Partial<Check> = {}) => {
    const [one] = await runChecks([{ ...check, ...options }], root, join(root, 'node_modules', 'cache'));
    assert(one !== undefined);
    return one;
  };
  const succeed = (next: boolean) => {
    result = next;
  };
  return { write, run, ran, succeed, root };
}

test('a check runs again only after a change of a file', async (context) => {
  const { write, run, ran, root } = await repository(context);
  assert.deepEqual(await run(), { name: 'a check', passed: true, isUnchanged: false });
  assert.deepEqual(await run(), { name: 'a check', passed: true, isUnchanged: true });
  await write('server/a.ts', 'changed');
  await write('server/c.ts', 'new');
  await rm(join(root, 'docs', 'b.md'));
  assert.equal((await run()).isUnchanged, false);
  assert.equal((await run()).isUnchanged, true);
  assert.deepEqual(ran, [undefined, ['docs/b.md', 'server/a.ts', 'server/c.ts']]);
});

test('a check runs again after a change of the installed packages, but not of builds', async (context) => {
  const { write, run, ran } = await repository(context);
  await run();
  await write('web/dist/app.js', 'built');
  await run();
  await write(INSTALLED, 'another version');
  await run();
  assert.deepEqual(ran, [undefined, [INSTALLED]]);
});

test('a failure is never stored, and does not replace an earlier success', async (context) => {
  const { write, run, ran, succeed } = await repository(context);
  succeed(false);
  for (let time = 0; time < 2; time += 1) assert.equal((await run()).passed, false);
  succeed(true);
  assert.equal((await run()).passed, true);
  await write('server/a.ts', 'wrong');
  succeed(false);
  for (let time = 0; time < 2; time += 1) assert.equal((await run()).passed, false);
  await write('server/a.ts', 'a');
  assert.deepEqual(await run(), { name: 'a check', passed: true, isUnchanged: true });
  assert.deepEqual(ran, [undefined, undefined, undefined, ['server/a.ts'], ['server/a.ts']]);
});

test('a success is not stored if a file was saved during the check', async (context) => {
  const { write, run } = await repository(context);
  const saving = { run: () => write('server/a.ts', 'saved meanwhile').then(() => true) };
  assert.equal((await run(saving)).passed, true);
  assert.equal((await run()).isUnchanged, false);
});

test('a check that names its inputs does not run after changes of other files', async (context) => {
  const { write, run } = await repository(context);
  const inputsIn: NonNullable<Check['inputsIn']> = async (tree) =>
    new Map([...tree].filter(([path]) => path.startsWith('server/')));
  await run({ inputsIn });
  await write('docs/b.md', 'changed');
  assert.equal((await run({ inputsIn })).isUnchanged, true);
  await write('server/a.ts', 'changed');
  assert.equal((await run({ inputsIn })).isUnchanged, false);
});
