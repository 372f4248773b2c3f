/** The bytes of an update of the web app: what the service worker loads because one line has changed. */
import { appendFile, cp, readFile, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { WebBuildRecord } from '@heddle/server/features/web-app/build-record.ts';
import { ensureWebBuild } from '../../../scripts/web-build/ensure.ts';
import { isNeeded } from '../../../scripts/web-build/worker.ts';
import { repository } from '../harness/programs.ts';
import { type Row, summarize } from '../harness/result.ts';
import { removeScratch, scratchDirectory } from '../harness/scratch.ts';
import type { Benchmark } from './benchmark.ts';

/** The sources that an update changes. */
const CHANGES = [
  { name: 'one line of the first view', file: 'web/src/main.tsx' },
  { name: 'one line of a part that loads later', file: 'web/src/app/background.tsx' },
] as const;

/** Bytes with brotli, by the name of the file. */
type Files = ReadonlyMap<string, number>;

/** Builds the app, changes a line and builds it again. The sizes are the same in each run, so one is enough. */
export const webUpdate: Benchmark = {
  name: 'web-update',
  about: 'the bytes of an update of the web app',
  async run({ quick, repeats, progress }) {
    const root = await scratchDirectory('web-update');
    try {
      await copySources(root);
      progress('web-update: the first build');
      let before = await neededFiles(root);
      const rows: Row[] = [];
      for (const { name, file } of quick ? CHANGES.slice(0, 1) : CHANGES) {
        progress(`web-update: ${name}`);
        await appendFile(join(root, file), `\nperformance.mark('changed');\n`);
        const after = await neededFiles(root);
        rows.push(rowOf(name, before, after, repeats));
        before = after;
      }
      return rows;
    } finally {
      await removeScratch(root);
    }
  },
};

/** What a build reads of the repository, without earlier builds. */
async function copySources(root: string): Promise<void> {
  await cp(join(repository, 'web'), join(root, 'web'), {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  });
  await cp(join(repository, 'tsconfig.json'), join(root, 'tsconfig.json'));
  for (const modules of ['node_modules', 'web/node_modules']) {
    await symlink(join(repository, modules), join(root, modules));
  }
}

/** The files that the worker loads before it works. */
async function neededFiles(root: string): Promise<Files> {
  const record = JSON.parse(
    await readFile(join(await ensureWebBuild({ root }), 'build.json'), 'utf8'),
  ) as WebBuildRecord;
  const needed = Object.entries(record.files).filter(([name]) => isNeeded(name));
  return new Map(needed.map(([name, { br, size }]) => [name, br ?? size]));
}

function rowOf(name: string, before: Files, after: Files, repeats: number): Row {
  const loaded = [...after].filter(([file]) => !before.has(file));
  const rate = kilobytesOf(loaded);
  return {
    name: 'web-update',
    size: name,
    unit: 'KB',
    heddle: summarize(Array.from({ length: repeats }, () => ({ rate, p50: null, p99: null }))),
    floor: null,
    ratio: null,
    goal: '',
    met: null,
    notes: [`${loaded.length} of ${after.size} files; all files have ${kilobytesOf([...after]).toFixed(0)} KB`],
  };
}

function kilobytesOf(files: readonly (readonly [string, number])[]): number {
  return files.reduce((sum, [, bytes]) => sum + bytes, 0) / 1024;
}
