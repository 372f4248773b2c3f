import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '@heddle/api/languages.ts';
import { readCatalog } from './catalogs.ts';
import { inAllLanguages, languageFor, msg } from './language.ts';

test('the first language that we have is chosen, else English', () => {
  assert.equal(languageFor(['pl', 'de-AT', 'en']).tag, 'de');
  assert.equal(languageFor([undefined, 'ES-mx']).tag, 'es');
  assert.equal(languageFor(['not a tag', '']).tag, 'en');
  assert.equal(languageFor([]).tag, 'en');
});

test('all languages translate the same texts, and no translation is empty', () => {
  const texts = (tag: (typeof LANGUAGES)[number]['tag']) => Object.keys(readCatalog(tag)).sort();
  for (const { tag } of LANGUAGES) {
    if (tag === 'en') continue;
    assert.deepEqual(texts(tag), texts('de'), tag);
    for (const [text, translation] of Object.entries(readCatalog(tag))) assert.notEqual(translation, '', text);
  }
});

test('plural forms, numbers and dates are those of the language', () => {
  const at = new Date('2026-03-05T14:05:00Z');
  const texts = ['en', 'de', 'fr', 'ja'].map((tag) => {
    const { t, date } = languageFor([tag]);
    return [
      t('{messages, plural, one {# unread message by {people}} other {# unread messages by {people}}}', {
        messages: 1200,
        people: 'Ada',
      }),
      date(at, { dateStyle: 'long', timeZone: 'UTC' }),
    ];
  });
  assert.deepEqual(texts, [
    ['1,200 unread messages by Ada', '5 March 2026'],
    ['1.200 ungelesene Nachrichten von Ada', '5. März 2026'],
    ['1\u202f200 messages non lus de Ada', '5 mars 2026'],
    ['Ada さんからの未読メッセージ1,200件', '2026年3月5日'],
  ]);
});

test('values are never read as messages', () => {
  const { t } = languageFor(['de']);
  for (const name of ["{x} '<b>", 'C:\\x64 \\u0041', '\ue000\ue001']) {
    assert.equal(t('Welcome to {name}', { name }), `Willkommen bei ${name}`);
  }
});

test('the message of an error has its translation, and unknown ones stay as they are', () => {
  const { known } = languageFor(['de']);
  assert.equal(known('Name too long!'), 'Der Name ist zu lang!');
  assert.equal(known('no text {of} ours'), 'no text {of} ours');
  assert.equal(known('constructor'), 'constructor');
});

test('a text is known in all languages', () => {
  const all = inAllLanguages(msg('Password'));
  assert.equal(all.length, LANGUAGES.length);
  assert.deepEqual(all.slice(0, 2), ['Password', 'Passwort']);
});
