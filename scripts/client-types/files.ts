/** The generated files of the client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { writeNarrowVocabulary } from './narrow-vocabulary.ts';
import { writeOperations } from './operations.ts';
import { writeTypes } from './types.ts';

const root = join(import.meta.dirname, '..', '..');

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly url: URL;
  /** What the file should contain. */
  readonly text: string;
}

/** Generates all files, formatted. */
export async function generatedFiles(): Promise<readonly GeneratedFile[]> {
  const files = [
    { path: 'client/src/calls/types.ts', write: writeTypes },
    { path: 'client/src/calls/operations.ts', write: writeOperations },
    { path: 'client/src/model/messages/narrow-vocabulary.ts', write: writeNarrowVocabulary },
  ];
  return Promise.all(
    files.map(async ({ path, write }) => {
      return { path, url: pathToFileURL(join(root, path)), text: await formatted(path, await write()) };
    }),
  );
}

/** Formats a source like `npm run format`. */
async function formatted(path: string, source: string): Promise<string> {
  const biome = join(root, 'node_modules', '.bin', 'biome');
  const child = spawn(biome, ['format', `--stdin-file-path=${path}`], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(source);
  const [result, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`Biome cannot format ${path}`);
  return result;
}
