import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkInterfaceRules, testsIn } from './interface-rules.ts';

const tick = '`';

test('a test is found by the name in its source', () => {
  const source = [
    "test('plain', () => {});",
    "it('it\\'s quoted', { timeout: 1 }, () => {});",
    'test("also so", () => {});',
    `test(${tick}with $\{a.map((b) => ${tick}<$\{b}>${tick}).join()} and $\{c}${tick}, () => {});`,
    "// test('in a comment', () => {});",
    "assert(/x/.test('no test'));",
  ];
  assert.deepEqual(
    testsIn(source.join('\n')).map(({ name, line }) => `${line}: ${name}`),
    ['1: plain', "2: it's quoted", '3: also so', '4: with … and …'],
  );
});

test('skipped tests are recognized', () => {
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

test('a test has the rules in the comments directly above it', () => {
  const source = [
    '// rules: weaving-1, weaving-2',
    "test('two rules', () => {});",
    "test('none', () => {});",
    'describe("a suite", () => {',
    '  // The loom is slow.',
    '  // rules: weaving-3',
    '  // rules: weaving-4, looms-1',
    `  for (const loom of looms) test(${tick}one of $\{loom}${tick}, () => {});`,
    '});',
  ];
  assert.deepEqual(
    testsIn(source.join('\n')).map(({ rules }) => rules),
    [['weaving-1', 'weaving-2'], [], ['weaving-3', 'weaving-4', 'looms-1']],
  );
});

const documentOf = (...rows: readonly string[]) => ['## Weaving', '', '| id | rule |', '|---|---|', ...rows].join('\n');

const path = 'server/src/features/weaving/weaving.test.ts';

test('each rule has the tests that name it', () => {
  const text = "// rules: weaving-1, weaving-2\ntest('a', () => {});\n\n// rules: weaving-1\ntest('b', () => {});";
  const sources = [{ path, text }];
  const document = documentOf('| weaving-1 | A thread crosses. |', '| weaving-2 | A \\| B |', '| weaving-3 | Three. |');
  const { findings, untested, rules, tests } = checkInterfaceRules(document, sources);
  assert.deepEqual(findings, []);
  assert.deepEqual(
    rules.map(({ text: rule }) => rule),
    ['A thread crosses.', 'A | B', 'Three.'],
  );
  assert.deepEqual(
    [...tests].map(([id, named]) => [id, ...named.map(({ name, line }) => `${line}: ${name}`)]),
    [['weaving-1', '2: a', '5: b'], ['weaving-2', '2: a'], ['weaving-3']],
  );
  assert.deepEqual(untested, [{ path: 'docs/interface.md', line: 7, problem: "no test names the rule 'weaving-3'" }]);
});

test('unknown rules, skipped tests and comments without a test are reported', () => {
  const problems = (...lines: readonly string[]) => {
    const { findings } = checkInterfaceRules(documentOf('| weaving-1 | One. |'), [{ path, text: lines.join('\n') }]);
    return findings.map(({ line, problem }) => `${line}: ${problem}`);
  };
  assert.deepEqual(problems('// rules: weaving-1', "test('a', () => {});"), []);
  assert.deepEqual(problems('// rules: weaving-1, weaving-2', "test('a', () => {});"), [
    "2: the test 'a' names the rule 'weaving-2', which docs/interface.md does not have",
  ]);
  assert.deepEqual(problems('// rules: weaving-1', "test.skip('a', () => {});"), [
    "2: the test 'a' is skipped, but names rules",
  ]);
  const withoutTest = 'no test begins directly below this rule comment';
  assert.deepEqual(problems('// rules: weaving-1', '', "test('a', () => {});"), [`1: ${withoutTest}`]);
  assert.deepEqual(problems('// rules: weaving-1', "describe('a', () => {});"), [`1: ${withoutTest}`]);
});

test('rule comments outside test files are ignored', () => {
  const sources = [{ path: 'server/src/weaving.ts', text: "// rules: weaving-1\ntest('a', () => {});" }];
  const { findings, untested } = checkInterfaceRules(documentOf('| weaving-1 | One. |'), sources);
  assert.deepEqual([findings, untested.length], [[], 1]);
});

test('every rule needs a unique id and a text', () => {
  const problems = (...rows: readonly string[]) =>
    checkInterfaceRules(documentOf(...rows), []).findings.map(({ line, problem }) => `${line}: ${problem}`);
  assert.deepEqual(problems('| weaving-1 | One. |', '| loom-weaving-12 | Two. |'), []);
  assert.deepEqual(problems('| Weaving 1 | One. |'), ["5: 'Weaving 1' is not a rule id, such as 'send-3'"]);
  assert.deepEqual(problems('| weaving | One. |'), ["5: 'weaving' is not a rule id, such as 'send-3'"]);
  assert.deepEqual(problems('| weaving-1 | |', '| weaving-2 |'), [
    "5: the rule 'weaving-1' has no text",
    "6: the rule 'weaving-2' has no text",
  ]);
  assert.deepEqual(problems('| weaving-1 | One. |', '| weaving-1 | Two. |'), ["6: line 5 has the id 'weaving-1' too"]);
});
