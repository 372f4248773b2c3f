import { type Finding, type SourceFile, type Token, tokensOf } from './source.ts';

/** The floors of the benchmarks have few rows and fresh statistics. */
const EXEMPT = /\.test\.tsx?$|\/testing\/|^bench\//;
/** A statement that changes the rows that a bounded subquery chooses. */
const CHANGE = /\b(?:DELETE FROM|UPDATE)\b[^;]*?\bIN\s*\(\s*SELECT\b[^;]*?\b(?:LIMIT|OFFSET)\s+(?!0\b)/;

/**
 * Reports statements that delete or update `… IN (SELECT … LIMIT n)`. With old statistics, the planner runs such a subquery once for each row of
 * the table. `ctid = ANY (ARRAY(SELECT ctid … LIMIT n))` runs it once, with all statistics.
 */
export function checkChosenRows(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !EXEMPT.test(path))
    .flatMap((file) =>
      textsOf(tokensOf(file))
        .filter(({ text }) => CHANGE.test(text))
        .map(({ line }) => ({
          path: file.path,
          line,
          problem: 'choose the rows with `ctid = ANY (ARRAY(SELECT ctid …))`',
        })),
    );
}

/** The strings and templates, each with the line of its beginning. A value in a template is a space. */
function textsOf(tokens: readonly Token[]): readonly Pick<Token, 'text' | 'line'>[] {
  const texts: Pick<Token, 'text' | 'line'>[] = [];
  const open: { text: string; readonly line: number }[] = [];
  for (const { kind, text, line, part } of tokens) {
    if (kind !== 'string') continue;
    if (part === undefined) texts.push({ text, line });
    if (part === 'first') open.push({ text, line });
    const template = open.at(-1);
    if (template === undefined || part === undefined || part === 'first') continue;
    template.text += ` ${text}`;
    if (part === 'last') texts.push(...open.splice(-1));
  }
  return texts;
}
