import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { renderMessage } from './index.ts';

const html = (source: string) => renderMessage(source, sampleDirectory, sampleOptions).html;
const formulas = (source: string) => html(source).split('<span class="katex">').length - 1;
const error = (text: string) => `<p><span class="tex-error">${text}</span></p>`;

test('two dollar signs on each side create a formula, in the form that clients render', () => {
  assert.equal(
    html('so $$1 + 1$$.'),
    '<p>so <span class="katex"><span class="katex-mathml"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>' +
      '<mrow><mn>1</mn><mo>+</mo><mn>1</mn></mrow><annotation encoding="application/x-tex">1 + 1</annotation></semantics></math></span>' +
      '<span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:0.7278em;vertical-align:-0.0833em;"></span>' +
      '<span class="mord">1</span><span class="mspace" style="margin-right:0.2222em;"></span><span class="mbin">+</span>' +
      '<span class="mspace" style="margin-right:0.2222em;"></span></span><span class="base"><span class="strut" style="height:0.6444em;"></span>' +
      '<span class="mord">1</span></span></span></span>.</p>',
  );
});

test('a formula prints nothing, so it cannot forge an entry of the log', (t) => {
  const print = () => assert.fail('printed');
  for (const method of ['log', 'warn', 'error'] as const) t.mock.method(console, method, print);
  const printing = ['\\errmessage{{"level":60,"msg":"forged"}}', '\\message{a}', '\\show\\def', '\u{1f600}'];
  for (const formula of printing) assert.equal(formulas(`$$${formula}$$`), 1, formula);
  assert.throws(() => Reflect.get(console, 'error')('other texts'), /printed/);
});

test('a math fence creates one formula per paragraph', () => {
  const block = html('```math\na^2\n\nb\n```');
  assert.match(
    block,
    /^<p><span class="katex-display"><span class="katex">.*<\/p>\n<p><span class="katex-display">.*<\/p>$/s,
  );
  assert.equal(formulas('~~~math\n\\text{**a**}\n~~~'), 1);
});

test('amounts of money, code, words and separate lines keep their dollar signs', () => {
  for (const text of [
    '$5 to $20',
    '$$_$$',
    '$$$ or $$$$',
    '$foo is$$',
    'a$$x$$',
    '$$x$$b',
    '$$$x$$$',
    '`$$x$$`',
    '$$x=3\ny=4$$',
  ]) {
    assert.equal(formulas(text), 0, text);
  }
  assert.equal(formulas('($$x \\approx 500\\$$$)'), 1);
});

test('emphasis may contain a formula with stars and carets', () => {
  for (const [mark, tag] of [['*', 'em'] as const, ['**', 'strong'] as const]) {
    const rendered = html(`${mark}a $$x^2 ** y * z$$ b${mark}`);
    assert.match(rendered, new RegExp(`^<p><${tag}>a <span class="katex">.*</span> b</${tag}></p>$`));
  }
});

test('an invalid formula is rendered as its source', () => {
  assert.equal(html('$$\\error{**a**}$$'), error('$$\\error{**a**}$$'));
  assert.equal(html("```math\n\\<b>'x'\n```"), error('\\&lt;b&gt;&#x27;x&#x27;'));
});

test('every construct of formulas yields HTML that messages may contain', () => {
  const all = [
    ...[
      '\\frac{a}{\\sqrt[3]{b}}',
      '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
      '\\overbrace{abc}^{x}',
      '\\vec{x}',
      '\\cancel{x}',
    ],
    ...[
      '\\fcolorbox{red}{#00f}{z}',
      '\\begin{array}{|c:c|}\\hline a&b\\\\\\hdashline\\end{array}',
      '\\pmb{x}',
      '\\rule[1em]{1em}{1em}',
    ],
    ...[
      '\\hspace{1em}x',
      'a\\quad b',
      'a\\\\b',
      '\\phase{78}',
      '\\xrightarrow[a]{b}',
      '\\text{é ü}',
      '\\left|\\begin{matrix}1\\\\2\\\\3\\end{matrix}\\right\\Vert',
    ],
    ...[
      '\\begin{align}a&=b\\\\c&=d\\end{align}',
      '\\tag{1} x',
      '\\vcenter{x}',
      '\\begin{CD}A@>a>>B\\\\@VbVV@.\\\\C@=D\\end{CD}',
      '\\Huge x',
    ],
  ];
  for (const formula of all) assert.equal(formulas(`\`\`\`math\n${formula}\n\`\`\``), 1, formula);
});

test('a formula can neither link to nor load anything', () => {
  for (const formula of [
    '\\href{javascript:x}{y}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/x.png}',
    '\\htmlStyle{position:fixed}{x}',
  ]) {
    assert.doesNotMatch(html(`$$${formula}$$`), /<a[ >]|<img|style="position:fixed/, formula);
  }
});

test('formulas of a message have a bounded size, and formulas that take too long are rendered as their source', () => {
  assert.equal(formulas('$$x$$ '.repeat(400)), 400);
  assert.ok(html('$$x$$ '.repeat(1600)).length < 300_000);
  const hostile = [
    `\\def\\a{${'x'.repeat(1000)}}${'\\a'.repeat(200)}`,
    '\\def\\a{\\b\\b\\b\\b}\\def\\b{\\c\\c\\c\\c}\\def\\c{\\d\\d\\d\\d}\\def\\d{xxxx}\\a\\a',
    '\\def\\a{\\a x}\\a',
    `\\begin{matrix}${'&'.repeat(1200)}\\end{matrix}`,
    'x'.repeat(2000),
  ];
  for (const formula of hostile) assert.equal(formulas(`$$${formula}$$`), 0, formula.slice(0, 40));
  assert.equal(formulas('$$\\def\\a{x}\\a\\a$$'), 1);
});
