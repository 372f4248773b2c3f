import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageFor } from '../languages/language.ts';
import { type HtmlValue, html } from './html.ts';
import { richIn } from './rich.ts';

const code = (inner: HtmlValue) => html`<code>${inner}</code>`;

test('elements of a text are rendered by their names, in each language', () => {
  const parts = {
    reset: (inner: HtmlValue) => html`<a href="/reset/">${inner}</a>`,
    login: (inner: HtmlValue) => html`<a href="/login/">${inner}</a>`,
  };
  const rendered = ['en', 'de'].map((tag) =>
    richIn(languageFor([tag]))(
      '<reset>Ask for a new password</reset>, or <login>log in</login>.',
      {},
      parts,
    ).toString(),
  );
  assert.deepEqual(rendered, [
    '<a href="/reset/">Ask for a new password</a>, or <a href="/login/">log in</a>.',
    '<a href="/reset/">Fordere ein neues Passwort an</a> oder <a href="/login/">melde dich an</a>.',
  ]);
});

test('a value is escaped, and is neither an element nor a placeholder', () => {
  const rich = richIn(languageFor(['de']));
  const address = '<code>&{address}\ue000</code>';
  assert.equal(
    rich('Your account: <code>{address}</code>', { address }, { code }).toString(),
    'Dein Konto: <code>&lt;code&gt;&amp;{address}\ue000&lt;/code&gt;</code>',
  );
});

test('a value can be HTML', () => {
  const rich = richIn(languageFor(['en']));
  assert.equal(
    rich('Your account: <code>{address}</code>', { address: html`<b>a</b>` }, { code }).toString(),
    'Your account: <code><b>a</b></code>',
  );
});
