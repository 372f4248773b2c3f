/** What `docs/cluster.md` and `deploy/cluster/` say, as far as a test without a cluster can check it. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { databaseHosts } from '@heddle/server/config/database-url.ts';
import { readConfig } from '@heddle/server/config.ts';
import { blocksOf, manualText } from './manual.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');
const CLUSTER = join(DEPLOY, 'cluster');
const PLACES = /^(each machine(, one after the other)?|one|two|three|the primary|the last machine)$/;

const read = (path: string) => readFileSync(join(CLUSTER, path), 'utf8');

test('every block of the manual says on which machine it runs', () => {
  const blocks = blocksOf(manualText());
  assert(blocks.length > 20, `${blocks.length} blocks`);
  for (const { where, line } of blocks) assert.match(where, PLACES, `docs/cluster.md:${line}`);
  assert.throws(() => blocksOf('```sh\nls\n```'), /:1: the block does not begin with its machine/);
});

test('the files that the manual names exist, and it names all that need an edit', () => {
  const text = manualText();
  const [, table = ''] = /edit the files in `\/root\/cluster\/etc`:\n([\s\S]*?)\n\n\w/.exec(text) ?? [];
  const edited = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path = '']) => path);
  assert(edited.length > 3, table);
  for (const path of edited) assert(existsSync(join(CLUSTER, 'etc', path)), path);
  const copied = [...text.matchAll(/\/root\/cluster\/([a-z.]+)(?=[\s"`])/g)].map(([, name = '']) => name);
  // The manual makes these.
  const made = new Set(['secret', 'etc']);
  for (const name of copied.filter((each) => !made.has(each))) assert(existsSync(join(CLUSTER, name)), name);
  const fromDeploy = [...text.matchAll(/"\$deploy\/([^"]+)"/g)].map(([, path = '']) => path);
  assert.equal(fromDeploy.length, 3);
  for (const path of fromDeploy) assert(existsSync(join(DEPLOY, path)), path);
  // An address or the name in a file without an edit would stay that of the example.
  const files = globSync('**/*', { cwd: join(CLUSTER, 'etc'), withFileTypes: true }).filter((each) => each.isFile());
  const withExamples = files.filter((each) =>
    /10\.0\.0\.|example\.com/.test(readFileSync(join(each.parentPath, each.name), 'utf8').replace(/^#.*/gm, '')),
  );
  const names = withExamples.map((each) => join(each.parentPath, each.name).slice(join(CLUSTER, 'etc/').length));
  assert.deepEqual(names.toSorted(), edited.toSorted());
});

test('each password of the files is one that the manual replaces', () => {
  const [, words = ''] = /for word in ([A-Z ]+); do/.exec(manualText()) ?? [];
  const files = globSync('**/*', { cwd: CLUSTER, withFileTypes: true }).filter((each) => each.isFile());
  const texts = files.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8')).join('\n');
  const used = new Set([...texts.matchAll(/\b([A-Z]+)_PASSWORD\b/g)].map(([, word = '']) => word));
  assert.deepEqual([...used].toSorted(), words.split(' ').toSorted());
});

test('the settings of a cluster are valid, with each setting that is a comment', () => {
  const lines = read('etc/heddle/heddle.env').split('\n');
  const settings = (isWanted: (line: string) => boolean) => {
    const pairs = lines.filter(isWanted).map((line) => line.replace(/^#/, '').split(/=(.*)/s).slice(0, 2));
    return Object.fromEntries(pairs) as Record<string, string>;
  };
  const usual = settings((line) => line.startsWith('HEDDLE_'));
  const { config, warnings } = readConfig(usual);
  assert.deepEqual(warnings, []);
  assert.equal(config.bus, 'postgres');
  const names = (databaseHosts(config.databaseUrl ?? '') ?? []).map(({ name }) => name);
  assert.deepEqual(names, ['one:5432', 'two:5432', 'three:5432']);
  const all = readConfig({ ...usual, ...settings((line) => /^#HEDDLE_/.test(line)) });
  assert.deepEqual(all.warnings, []);
  assert.deepEqual(typeof all.config.bus === 'object' && all.config.bus.servers, [
    'one:4222',
    'two:4222',
    'three:4222',
  ]);
});

test('the variables for Caddy are those of its configuration, and all machines are its upstreams', () => {
  const unit = read('etc/systemd/system/caddy.service.d/heddle.conf');
  const configuration = readFileSync(join(DEPLOY, 'caddy', 'Caddyfile'), 'utf8');
  const names = [...unit.matchAll(/Environment="?([A-Z_]+)=/g)].map(([, name = '']) => name);
  assert(names.length > 3, unit);
  for (const name of names) assert(configuration.includes(`{$${name}`), name);
  assert.match(unit, /HEDDLE_UPSTREAMS=one:9991 two:9991 three:9991/);
});
