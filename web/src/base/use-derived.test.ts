import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Subject } from '@heddle/client/model/changes.ts';
import { act, createElement } from 'react';
import { emptyRoots } from '../../testing/empty-root.ts';
import { useDerived } from './use-derived.ts';

const emptyRoot = emptyRoots();

/** Mounts a component that derives a value of two subjects. It counts renders and computations. */
async function mounted(first = new Subject(), second = new Subject()) {
  const seen = { renders: 0, computed: 0, value: {} as { readonly text: string } };
  function Reader({ text, subjects }: { text: string; subjects: readonly Subject[] }) {
    seen.renders += 1;
    seen.value = useDerived(subjects, () => {
      seen.computed += 1;
      return { text };
    }, [text]);
    return null;
  }
  const root = emptyRoot();
  const render = (text: string, subjects = [first, second]) => root.render(createElement(Reader, { text, subjects }));
  await render('a');
  assert.deepEqual(seen, { renders: 1, computed: 1, value: { text: 'a' } });
  return { seen, first, second, render, unmount: root.unmount };
}

test('changes of several subjects in one task make one render and one computation', async () => {
  const { seen, first, second } = await mounted();
  await act(async () => {
    first.changed();
    second.changed();
    first.changed();
  });
  assert.equal(seen.renders, 2);
  assert.equal(seen.computed, 2);
});

test('each subject makes it compute again', async () => {
  const { seen, first, second } = await mounted();
  await act(async () => first.changed());
  assert.equal(seen.computed, 2);
  await act(async () => second.changed());
  assert.equal(seen.computed, 3);
  assert.equal(seen.renders, 3);
});

test('another render keeps the value', async () => {
  const { seen, render } = await mounted();
  const before = seen.value;
  await render('a');
  assert.equal(seen.renders, 2);
  assert.equal(seen.computed, 1);
  assert.equal(seen.value, before);
});

test('another input makes it compute in the same render', async () => {
  const { seen, render } = await mounted();
  await render('b');
  assert.deepEqual(seen, { renders: 2, computed: 2, value: { text: 'b' } });
});

test('it follows other subjects, and leaves the earlier ones', async () => {
  const { seen, first, second, render } = await mounted();
  const third = new Subject();
  await render('a', [first, third]);
  assert.equal(seen.computed, 2);
  assert(!second.isObserved);
  await act(async () => second.changed());
  assert.equal(seen.renders, 2);
  await act(async () => third.changed());
  assert.equal(seen.renders, 3);
  assert.equal(seen.computed, 3);
});

test('nobody observes the subjects when the component is gone', async () => {
  const { first, second, unmount } = await mounted();
  assert(first.isObserved && second.isObserved);
  await unmount();
  assert(!first.isObserved && !second.isObserved);
});
