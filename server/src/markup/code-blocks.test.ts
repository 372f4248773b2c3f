import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleDirectory, sampleOptions } from '../testing/model/sample-directory.ts';
import { CODE_LANGUAGES, codeLanguage } from './code-languages.ts';
import { renderMessage } from './index.ts';

const html = (source: string) => renderMessage(source, sampleDirectory, sampleOptions).html;
const block = (code: string, language?: string) =>
  `<div class="codehilite"${language === undefined ? '' : ` data-code-language="${language}"`}><pre><span></span><code>${code}</code></pre></div>`;

test('a fence creates a code block', () => {
  assert.equal(html('a\n```\n*b* <c> "d"\n```\ne'), `<p>a</p>\n${block('*b* &lt;c&gt; &quot;d&quot;\n')}\n<p>e</p>`);
});

test('tildes and an indentation of four spaces create one, too', () => {
  assert.equal(html('~~~\na\n~~~'), block('a\n'));
  assert.equal(html('    a\n      b'), block('a\n  b\n'));
});

test('an unclosed fence extends to the end', () => {
  assert.equal(html('```\na\n\nb'), block('a\n\nb\n'));
});

test('blank lines around the code are removed', () => {
  assert.equal(html('```\n\n  a\n\n```'), block('  a\n'));
});

test('a line with more backticks or tildes is not a fence', () => {
  assert.equal(html('```a```'), '<p><code>a</code></p>');
  assert.equal(html('~~~a b~~~'), '<p>~~~a b~~~</p>');
});

test('the language has its Pygments name', () => {
  for (const [written, shown] of [
    ['python', 'Python'],
    ['.python ', 'Python'],
    ['{.python}', 'Python'],
    ['PY', 'Python'],
    ['js', 'JavaScript'],
    ['c++', 'C++'],
    ['text', 'Text only'],
    ['html', 'HTML'],
    ['inventedlanguage', 'inventedlanguage'],
    ['a"b', 'a'],
  ] as const) {
    assert.ok(
      html(`\`\`\`${written}\nx\n\`\`\``).startsWith(`<div class="codehilite" data-code-language="${shown}">`),
      written,
    );
  }
});

test('highlighting yields flat spans with the short classes of Pygments', () => {
  assert.equal(
    html('```python\n@wraps\ndef speak(self):\n    """Says."""\n    return 1.5 + 0x1f + len("a") # done\n```'),
    block(
      '<span class="nd">@wraps</span>\n<span class="k">def</span> <span class="nf">speak</span>(self):\n' +
        '    <span class="s2">&quot;&quot;&quot;Says.&quot;&quot;&quot;</span>\n' +
        '    <span class="k">return</span> <span class="mf">1.5</span> + <span class="mh">0x1f</span> + ' +
        '<span class="nb">len</span>(<span class="s2">&quot;a&quot;</span>) <span class="c1"># done</span>\n',
      'Python',
    ),
  );
  assert.equal(
    html('```ruby\nreturn "c #{d} e" # f\n```'),
    block(
      '<span class="k">return</span> <span class="s2">&quot;c </span>#{d}<span class="s"> e&quot;</span> <span class="c1"># f</span>\n',
      'Ruby',
    ),
  );
  assert.equal(html('```diff\n-a\n+b\n```'), block('<span class="gd">-a</span>\n<span class="gi">+b</span>\n', 'Diff'));
});

test('embedded languages are highlighted', () => {
  const rendered = html('```html\n<script>let a = 1;</script>\n```');
  assert.ok(rendered.includes('<span class="k">let</span>'), rendered);
  assert.ok(rendered.includes('<span class="nt">script</span>'), rendered);
});

test('an unknown language and plain text are not highlighted', () => {
  assert.equal(html('```inventedlanguage\nif 1\n```'), block('if 1\n', 'inventedlanguage'));
  assert.equal(html('```text\nif 1\n```'), block('if 1\n', 'Text only'));
});

test('every language of the table loads, and its highlighting keeps the code', () => {
  const code = 'if (a < 1) { return "b" } // c & d\n';
  for (const language of CODE_LANGUAGES) {
    const alias = language.aliases[0] ?? '';
    assert.equal(codeLanguage(alias)?.displayName, language.displayName, alias);
    const rendered = html(`\`\`\`${alias}\n${code}\`\`\``);
    const text = rendered
      .replace(/<[^>]*>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    assert.equal(text, code, alias);
    assert.ok(!/<span[^>]*>[^<]*<span/.test(rendered), `nested spans: ${alias}`);
  }
});

test('code beyond the highlighting limit of a message is plain', () => {
  const line = 'return 1;\n';
  const rendered = html(`\`\`\`js\n${line.repeat(300)}\`\`\`\n\n\`\`\`js\n${line.repeat(300)}\`\`\``);
  assert.equal(rendered.split('<span class="k">return</span>').length - 1, 300);
  assert.ok(!html(`\`\`\`js\nreturn ${'a'.repeat(500)}\n\`\`\``).includes('<span class'));
});
