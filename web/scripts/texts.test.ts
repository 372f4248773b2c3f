import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { checkTexts, compileCatalog, updateCatalogs } from './catalogs.ts';
import { readTexts, textsOf } from './texts.ts';

const problemsOf = (source: string) =>
  textsOf('src/a.tsx', source).findings.map(({ line, problem }) => `${line}: ${problem}`);
const foundIn = (source: string) => textsOf('src/a.tsx', source).uses.map(([text]) => text);

/** A folder with these files, which is deleted at the end of the test. */
async function folder(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'heddle-texts-'));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('the texts of t, msg and T are found', () => {
  const source =
    "const a = msg('One');\nfunction F() { return <p title={t('Two')}>{t(`Three`)}<T text=\"Four\" /></p>; }";
  assert.deepEqual(foundIn(source), ['One', 'Two', 'Three', 'Four']);
  assert.deepEqual(problemsOf(source), []);
});

test('text that nobody can translate is a finding', () => {
  assert.deepEqual(problemsOf('const F = () => <p>\n  Hello</p>;'), [
    '2: "Hello" cannot be translated; write t(\'…\')',
  ]);
  assert.equal(problemsOf('const F = () => <p>{isNew ? "New" : t("Old")}</p>;').length, 1);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test has a template.
  assert.equal(problemsOf('const F = () => <p>{`${count} messages`}</p>;').length, 1);
  assert.equal(problemsOf('const F = () => <Button label="Send" />;').length, 1);
  assert.equal(problemsOf('const F = () => <input aria-label={isNew ? "New" : ""} />;').length, 1);
});

test('punctuation, names of the platform and marked lines are no texts', () => {
  assert.deepEqual(problemsOf('const F = () => <p className="quiet">· {name} #</p>;'), []);
  assert.deepEqual(problemsOf('const F = () => <input name="email" type="text" />;'), []);
  assert.deepEqual(problemsOf('const F = () => (\n  // not translated: our name\n  <b>Heddle</b>\n);'), []);
});

test('a text that is translated while a module loads is a finding', () => {
  assert.equal(problemsOf("const LABEL = t('Close');").length, 1);
  assert.equal(problemsOf("const labelOf = () => t('Close');").length, 0);
});

test('a missing, unused, doubled or wrong translation is a finding', async () => {
  await using web = await folder({
    'src/a.tsx':
      "const f = () => t('One {name}', { name });\nconst g = () => t('Two');\nconst h = () => t('Three', { extra });",
    'locales/de/app.json': JSON.stringify({ 'One {name}': 'Eins {nmae}', Three: '', Four: 'Vier' }, null, 2),
    'locales/de/other.json': JSON.stringify({ Four: 'Vier' }),
  });
  assert.deepEqual(
    (await checkTexts(web.path)).map(({ path, line, problem }) => `${path}:${line}: ${problem}`),
    [
      'src/a.tsx:3: the values of "Three" differ from its placeholders',
      'locales/de/app.json:2: "Eins {nmae}" has other placeholders than the English text',
      'locales/de/app.json:3: "Three" is not translated',
      'locales/de/app.json:4: "Four" is not used; run npm run texts',
      'locales/de/other.json:1: "Four" is translated twice',
      'locales/de/other.json:1: "Four" is not used; run npm run texts',
      'src/a.tsx:2: "Two" has no translation (de); run npm run texts',
    ],
  );
});

test('a message that is not valid is a finding', async () => {
  await using web = await folder({ 'src/a.tsx': "const f = () => t('One {name', { name });" });
  const [finding] = await checkTexts(web.path);
  assert.match(finding?.problem ?? '', /^"One \{name" is not a valid message/);
});

test('an update adds new texts to the catalog of their folder, and removes unused ones', async () => {
  await using web = await folder({
    'src/feed/a.tsx': "const f = () => [t('New'), t('Old')];",
    'locales/de/feed.json': JSON.stringify({ Unused: 'Unbenutzt', Old: 'Alt' }),
    'locales/de/gone.json': JSON.stringify({ Gone: 'Weg' }),
  });
  assert.equal(await updateCatalogs(web.path), 1);
  const catalog = JSON.parse(await readFile(join(web.path, 'locales/de/feed.json'), 'utf8'));
  assert.deepEqual(catalog, { New: '', Old: 'Alt' });
  await assert.rejects(readFile(join(web.path, 'locales/de/gone.json')));
});

test('the English catalog contains only what the app cannot compile itself', async () => {
  const plural = '{count, plural, one {# row} other {# rows}} of {name}';
  await using web = await folder({
    'src/a.tsx': `const f = () => [t('Plain'), t('[key] End'), t('Hello {name}', { name }), t("It''s {name}", { name }), t('${plural}', { count, name })];`,
    'locales/de/app.json': JSON.stringify({ Plain: 'Einfach', '[key] End': 'Ende', 'Hello {name}': 'Hallo {name}' }),
  });
  const sources = await readTexts(web.path);
  assert.deepEqual(await compileCatalog(web.path, 'en', sources), {
    "It''s {name}": ["It's ", ['name']],
    [plural]: [['count', 'plural', { offset: undefined, one: ['#', ' row'], other: ['#', ' rows'] }], ' of ', ['name']],
  });
  const german = await compileCatalog(web.path, 'de', sources);
  assert.deepEqual(
    [german.Plain, german['[key] End'], german['Hello {name}']],
    ['Einfach', 'Ende', ['Hallo ', ['name']]],
  );
});
