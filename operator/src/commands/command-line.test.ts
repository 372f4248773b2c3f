import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { HEDDLE_VERSION } from '@heddle/server/version.ts';
import { type Command, CommandError, defineCommand } from './command.ts';
import { runCommandLine } from './command-line.ts';

const paint = defineCommand({
  name: 'fence paint',
  summary: 'Paint a fence',
  details: 'The fence must be dry.',
  options: {
    color: { value: 'C', help: 'The color', required: true, choices: ['red', 'green'] },
    'second-coat': { value: 'C', help: 'Another color' },
  },
  run: async ({ color, 'second-coat': second }) => ({ text: `painted ${color}`, json: { color, second } }),
});
const build = defineCommand({ name: 'fence build', summary: 'Build a fence', options: {}, run: async () => 3 });
const fail = defineCommand({
  name: 'fail',
  summary: 'Fail',
  options: { how: { value: 'HOW', help: 'How' } },
  run: async ({ how }) => {
    if (how === 'foreseen') throw new CommandError('the paint is dry');
    throw new TypeError('x is not a function');
  },
});
const move = defineCommand({
  name: 'fence move',
  summary: 'Move a fence',
  operands: [{ value: 'PLACE', help: 'The new place' }],
  options: { 'by-hand': { value: 'WHO', help: 'Who moves it' } },
  run: async (values, _, place) => ({ text: `moved to ${place}`, json: { place, who: values['by-hand'] } }),
});
const commands: readonly Command[] = [paint, build, fail, move];

async function run(line: string, environment: Record<string, string> = {}) {
  const out = new PassThrough();
  const err = new PassThrough();
  const code = await runCommandLine(commands, line.split(' ').filter(Boolean), {
    out,
    err,
    input: process.stdin,
    host: process,
    environment: { HEDDLE_LOG_LEVEL: 'silent', ...environment },
  });
  return { code, out: String(out.read() ?? ''), err: String(err.read() ?? '') };
}

test('a command prints its result on standard output, as text or as JSON', async () => {
  assert.deepEqual(await run('fence paint --color red'), { code: 0, out: 'painted red\n', err: '' });
  assert.deepEqual(await run('fence paint --color=red --second-coat green --json'), {
    code: 0,
    out: '{"color":"red","second":"green"}\n',
    err: '',
  });
});

test('a command accepts a positional argument before or after its options', async () => {
  const moved = { code: 0, out: '{"place":"here","who":"ada"}\n', err: '' };
  assert.deepEqual(await run('fence move here --by-hand ada --json'), moved);
  assert.deepEqual(await run('--json fence move --by-hand ada here'), moved);
});

test('wrong usage is explained on standard error, with code 2', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      '',
      /\nCommands:\n +fence paint +Paint a fence\n +fence build +Build a fence\n +fence move +Move a fence\n +fail +Fail\n/,
    ],
    ['--json', /\nCommands:\n +fence paint/],
    ['paint', /^unknown command 'paint'\nTry --help\.$/],
    [
      'fence',
      /\nCommands:\n +fence paint +Paint a fence\n +fence build +Build a fence\n +fence move +Move a fence\n\n/,
    ],
    ['fence --color red', /^unknown option '--color'/],
    ['fence burn', /^unknown command 'burn'/],
    ['fence paint', /^required option '--color <C>' not specified\nTry --help\.$/],
    ['fence paint --color', /^option '--color <C>' argument missing/],
    ['fence paint --color blue', /^option '--color <C>' argument 'blue' is invalid\. Allowed choices are red, green\./],
    ['fence paint --color red --color green', /^option '--color <C>' is given more than once/],
    ['fence paint --color red --colour red', /^unknown option '--colour'/],
    ['fence paint --color red twice', /^too many arguments .* twice\./],
    ['fence build --help=yes', /^unknown option '--help=yes'/],
    ['fence move', /^missing required argument 'PLACE'/],
    ['fence move here there', /^too many arguments .* here, there\./],
  ];
  for (const [line, expected] of cases) {
    const { code, out, err } = await run(line);
    assert.equal(code, 2, line);
    assert.equal(out, '', line);
    assert.match(line.includes('--json') ? JSON.parse(err).error : err.trimEnd(), expected, line);
  }
});

test('every command has help, which does nothing else', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['--help', /fence paint +Paint a fence\n +fence build +Build a fence\n +fence move +Move a fence\n +fail/],
    ['-h', /Usage: npm run -s heddle -- \[options\] \[command\]/],
    ['fence --help', /fence paint(?!.*\bfail\b)/s],
    [
      'fence paint --help',
      /Usage: .* fence paint \[options\]\n\nPaint a fence\.\n\nThe fence must be dry\.\n\nOptions:\n +--color <C> +The color\. Required\. /,
    ],
    ['fence build -h', /Build a fence/],
  ];
  for (const [line, expected] of cases) {
    const { code, out, err } = await run(line, { HEDDLE_PORT: 'abc' });
    assert.deepEqual({ code, err }, { code: 0, err: '' }, line);
    assert.match(out, expected, line);
  }
});

test('an invalid setting is reported on standard error, with code 2', async () => {
  const { code, err } = await run('fence build', { HEDDLE_PORT: 'abc' });
  assert.equal(code, 2);
  assert.match(err, /^HEDDLE_PORT must be a whole number from 0 to 65535, but it is "abc"\.$/m);
});

test('a failed command exits with code 1: an expected error is printed in one line, others with a stack', async () => {
  assert.deepEqual(await run('fail --how foreseen'), { code: 1, out: '', err: 'the paint is dry\n' });
  assert.deepEqual(await run('fail --how foreseen --json'), {
    code: 1,
    out: '',
    err: '{"error":"the paint is dry"}\n',
  });
  const { code, err } = await run('fail');
  assert.equal(code, 1);
  assert.match(err, /^TypeError: x is not a function\n +at /);
});

test('a command can choose its exit code', async () => {
  assert.equal((await run('fence build')).code, 3);
});

test('a variable that looks like a setting is logged as a warning', async () => {
  const { code, err } = await run('fence build', { HEDDLE_PROT: '1', HEDDLE_LOG_LEVEL: 'info' });
  assert.equal(code, 3);
  assert.match(JSON.parse(err).msg, /HEDDLE_PROT.*HEDDLE_PORT/);
});

test('the help loads none of the modules that commands use', () => {
  const tell =
    'load(url, context, next) { process.stderr.write(url + String.fromCharCode(10)); return next(url, context); }';
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ ${tell} });`;
  const main = join(import.meta.dirname, '..', 'main.ts');
  for (const args of [['--help'], ['user', 'create', '--help'], ['user']]) {
    const { stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, main, ...args],
      { encoding: 'utf8' },
    );
    const loaded = [...stderr.matchAll(/\/(?:operator|server)\/src\/(\S+)/g)].map(([, path]) => path ?? '');
    assert.ok(loaded.includes('commands/user.ts'));
    const light =
      /^(main|version|commands\/.+|import\/formats|config\/settings-error|directory\/records|domain\/credentials\/api-keys)\.ts$/;
    assert.deepEqual(
      loaded.filter((path) => !light.test(path)),
      [],
    );
    assert.doesNotMatch(stderr, /node_modules\/(pg|pino|kysely|fastify|typebox)\//);
  }
});

test('--version prints the version, also as JSON', async () => {
  assert.deepEqual(await run('--version'), { code: 0, out: `Heddle ${HEDDLE_VERSION}\n`, err: '' });
  assert.deepEqual(await run('--version --json'), { code: 0, out: `{"version":"${HEDDLE_VERSION}"}\n`, err: '' });
});
