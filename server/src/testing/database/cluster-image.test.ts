import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { startTestCluster } from './cluster.ts';
import { ClusterImages, imageKey } from './cluster-image.ts';

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-images-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** A directory that imitates a stopped cluster. */
function clusterWith(t: TestContext, content: string): string {
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'base'));
  writeFileSync(join(directory, 'base', 'file'), content);
  return directory;
}

test('concurrent runs without an image both get a migrated cluster, and later runs copy its image', async (t) => {
  const directory = temporaryDirectory(t);
  const [one, other] = await Promise.all([
    startTestCluster(new ClusterImages(directory, 'key')),
    startTestCluster(new ClusterImages(directory, 'key')),
  ]);
  const images = new ClusterImages(directory, 'key');
  t.mock.method(images, 'save', () => assert.fail('the image is created again'));
  const later = await startTestCluster(images);
  for (const { connection, template, stop } of [one, other, later]) {
    const client = new pg.Client({ ...connection, database: template });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS organizations FROM organizations');
    assert.deepEqual(rows, [{ organizations: 0 }]);
    await client.end();
    await stop();
  }
  assert.deepEqual(readdirSync(directory), ['key']);
});

test('an image is found only by its key, and the first saved one stays', (t) => {
  const directory = temporaryDirectory(t);
  const copied = join(temporaryDirectory(t), 'data');
  const images = new ClusterImages(directory, 'key');
  assert.equal(images.copyTo(copied), false);
  images.save(clusterWith(t, 'first'));
  images.save(clusterWith(t, 'second'));
  assert.equal(new ClusterImages(directory, 'another').copyTo(copied), false);
  assert.equal(images.copyTo(copied), true);
  assert.equal(readFileSync(join(copied, 'base', 'file'), 'utf8'), 'first');
});

test('the four last used images are kept, and leftovers of killed runs are removed', (t) => {
  const directory = temporaryDirectory(t);
  const longAgo = new Date(Date.now() - 3_600_000);
  for (const name of ['draft-killed', 'draft-running']) mkdirSync(join(directory, name));
  utimesSync(join(directory, 'draft-killed'), longAgo, longAgo);
  const cluster = clusterWith(t, 'content');
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    new ClusterImages(directory, key).save(cluster);
    const used = new Date(longAgo.getTime() + index);
    utimesSync(join(directory, key), used, used);
  }
  assert.equal(new ClusterImages(directory, 'a').copyTo(join(temporaryDirectory(t), 'data')), true);
  new ClusterImages(directory, 'e').save(cluster);
  assert.deepEqual(readdirSync(directory).sort(), ['a', 'c', 'd', 'draft-running', 'e']);
});

test('a change of a source of the cluster, or of its imports, changes the key', (t) => {
  const directory = temporaryDirectory(t);
  const [maker, imported] = [join(directory, 'migrate.ts'), join(directory, '0001.ts')];
  writeFileSync(maker, "import * as first from './0001.ts';\n");
  writeFileSync(imported, 'CREATE TABLE looms');
  const before = imageKey([maker]);
  assert.equal(imageKey([maker]), before);
  writeFileSync(imported, 'CREATE TABLE spindles');
  assert.notEqual(imageKey([maker]), before);
});
