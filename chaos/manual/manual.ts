/** The command blocks of `docs/cluster.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MANUAL = join(import.meta.dirname, '..', '..', 'docs', 'cluster.md');

export interface Block {
  /** The heading above it. */
  readonly section: string;
  /** What its first line says, for example `each machine`. */
  readonly where: string;
  readonly script: string;
  /** Where it begins in the file. */
  readonly line: number;
}

export const manualText = (): string => readFileSync(MANUAL, 'utf8');

export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: { readonly language: string; readonly line: number; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, language] = /^```(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (language !== undefined) open = { language, line: index + 1, lines: [] };
      else if (line.startsWith('## ')) section = line.slice('## '.length);
    } else if (language === undefined) open.lines.push(line);
    else {
      if (open.language === 'sh') blocks.push(blockOf(section, open));
      open = undefined;
    }
  }
  return blocks;
}

function blockOf(section: string, { line, lines: [first = '', ...rest] }: { line: number; lines: readonly string[] }) {
  const [, where] = /^# on (.+)$/.exec(first) ?? [];
  if (where === undefined) throw new Error(`docs/cluster.md:${line}: the block does not begin with its machine`);
  return { section, where, script: `${rest.join('\n')}\n`, line };
}
