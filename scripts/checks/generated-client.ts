import { readFile } from 'node:fs/promises';
import { generatedFiles } from '../client-types/files.ts';
import type { Finding } from './source.ts';

/** Reports generated files of the client that do not follow the contract. */
export async function checkGeneratedClient(): Promise<Finding[]> {
  const files = await generatedFiles();
  const findings = await Promise.all(
    files.map(async ({ path, url, text }) => {
      const line = firstDifference(await readFile(url, 'utf8').catch(() => ''), text);
      return line === undefined ? [] : [{ path, line, problem: 'differs from the contract; run npm run generate' }];
    }),
  );
  return findings.flat();
}

/** The first line, counted from 1, in which two texts differ. */
export function firstDifference(text: string, expected: string): number | undefined {
  if (text === expected) return undefined;
  const [lines, others] = [text.split('\n'), expected.split('\n')];
  return lines.findIndex((line, index) => line !== others[index]) + 1 || lines.length + 1;
}
