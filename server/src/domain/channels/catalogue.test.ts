import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isShared } from '../../http/answers/raw-json.ts';
import { putChannel, smallDirectory } from '../../testing/database/small-directory.ts';
import { listFromCatalogue } from './catalogue.ts';

const CHANNELS = 120;

function organization() {
  const directory = smallDirectory();
  for (let id = 1; id <= CHANNELS; id += 1) putChannel(directory, id);
  return directory;
}

function listed(directory: ReturnType<typeof organization>, isWanted: (id: number) => boolean) {
  const { body } = listFromCatalogue(directory, ({ id }) => isWanted(id));
  assert(Array.isArray(body));
  const channels: { stream_id: number }[] = JSON.parse(Buffer.concat(body).toString());
  return { ids: channels.map(({ stream_id }) => stream_id), shared: body.filter(isShared) };
}

test('a list contains exactly the wanted channels, in order', () => {
  const directory = organization();
  for (const isWanted of [
    () => true,
    () => false,
    (id: number) => id % 2 === 0,
    (id: number) => id === 1 || id === CHANNELS,
    (id: number) => id > 49 && id < 102,
  ]) {
    const expected = Array.from({ length: CHANNELS }, (_, index) => index + 1).filter(isWanted);
    assert.deepEqual(listed(directory, isWanted).ids, expected);
  }
});

test('readers who see other channels share the pieces in which nothing differs, so these are compressed once', () => {
  const directory = organization();
  const everything = listed(directory, () => true).shared;
  assert.equal(everything.length, 3);
  const others = listed(directory, (id) => id !== 60).shared;
  assert.deepEqual(
    everything.map((piece) => others.includes(piece)),
    [true, false, true],
  );
});
