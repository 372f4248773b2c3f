import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDocument } from 'htmlparser2';
import { fc } from '../testing/random/property.ts';
import { html } from './html.ts';

test('text in a page and in an attribute is escaped and keeps its value', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'&<>"\'/=ab; \n') }), (text) => {
      const [element, ...others] = parseDocument(html`<p title="${text}">${text}</p>`.toString()).children;
      assert.equal(others.length, 0);
      assert(element !== undefined && 'attribs' in element && 'children' in element);
      assert.deepEqual(Object.keys(element.attribs), ['title']);
      assert.equal(element.attribs.title, text);
      const inner = element.children.map((child) => ('data' in child ? child.data : '<element>')).join('');
      assert.equal(inner, text);
    }),
  );
});

test('pieces of HTML are inserted unchanged, and lists of them one after the other', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}</ul>`.toString(), '<ul><li>a</li><li>&lt;b&gt;</li></ul>');
});

test('missing values render nothing', () => {
  assert.equal(html`${undefined}${null}${false}${''}${0}`.toString(), '0');
});
