import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkInterfaceRules, RULES_DOCUMENT, testsIn } from './interface-rules.ts';
import { readSources } from './source.ts';

/** So many rules have no test yet. It may only be lowered, by writing one. */
const UNTESTED = 0;

const root = join(import.meta.dirname, '..', '..');

test('every rule of the interface has tests that exist and run', async () => {
  const document = await readFile(join(root, RULES_DOCUMENT), 'utf8');
  const { findings, tested, untested } = checkInterfaceRules(document, await readSources(root));
  assert.deepEqual(findings, []);
  assert.equal(untested, UNTESTED);
  assert(tested > 150, `only ${tested} rules are found`);
});

const tick = '`';

test('a test is found by the name that its source gives it', () => {
  const source = [
    "test('plain', () => {});",
    "it('it\\'s quoted', { timeout: 1 }, () => {});",
    'test("also so", () => {});',
    `test(${tick}with $\{a.map((b) => ${tick}<$\{b}>${tick}).join()} and $\{c}${tick}, () => {});`,
    "// test('in a comment', () => {});",
    "assert(/x/.test('no test'));",
  ];
  assert.deepEqual(
    testsIn(source.join('\n')).map(({ name }) => name),
    ['plain', "it's quoted", 'also so', 'with … and …'],
  );
});

test('a test that is skipped is known as such', () => {
  const skipped = (text: string) => testsIn(text).map(({ isSkipped }) => isSkipped);
  assert.deepEqual(skipped("test('a', () => {}); test.skip('b', () => {}); test('c', () => {});"), [
    false,
    true,
    false,
  ]);
  assert.deepEqual(skipped("test('a', { skip: true }, () => {}); test('b', { todo: 'later' }, () => {});"), [
    true,
    true,
  ]);
  assert.deepEqual(skipped("test('a', (t) => t.skip('why'));"), [true]);
  assert.deepEqual(skipped("test.todo('a');"), [true]);
  assert.deepEqual(skipped("describe.skip('all', () => { test('a', () => {}); });"), [true]);
  assert.deepEqual(skipped("describe('all', { skip: withoutBrowser }, () => { test('a', () => {}); });"), [false]);
  assert.deepEqual(skipped("describe('all', { skip: true }, () => { test('a', () => {}); });"), [true]);
});

test('a row needs a test, of a file that there is, under its exact name, which is not skipped', () => {
  const sources = [
    { path: 'server/src/features/weaving/weaving.test.ts', text: "test('a | b', () => {}); test.skip('c', () => {});" },
    { path: 'server/src/features/weaving/weaving.ts', text: "test('d', () => {});" },
  ];
  const problems = (...rows: readonly string[]) => {
    const document = ['## Weaving', '', '| rule | test |', '|---|---|', ...rows].join('\n');
    return checkInterfaceRules(document, sources).findings.map(({ line, problem }) => `${line}: ${problem}`);
  };
  assert.deepEqual(problems('| one | `weaving/weaving`: a \\| b |'), []);
  assert.deepEqual(problems('| one | `weaving/weaving`: a \\| b<br>`weaving/weaving`: d |'), [
    "5: there is no test 'd' in 'weaving/weaving'",
  ]);
  assert.deepEqual(problems('| one | `weaving/weaving`: c |'), ["5: the test 'c' in 'weaving/weaving' is skipped"]);
  assert.deepEqual(problems('| one | `weaving/looms`: a |'), ["5: there are 0 files of tests called 'weaving/looms'"]);
  assert.deepEqual(problems('| one | |', '| two |'), [
    "5: no test is named for 'one'",
    "6: no test is named for 'two'",
  ]);
  assert.deepEqual(problems('| one | it works |'), ["5: 'it works' does not name a test's file and the test"]);
});

test('rules without a test are counted and not looked up', () => {
  const document = ['## Without a test', '', '| rule | why |', '|---|---|', '| one | nobody knows how |'].join('\n');
  const { findings, tested, untested } = checkInterfaceRules(document, []);
  assert.deepEqual([findings, tested, untested], [[], 0, 1]);
});
