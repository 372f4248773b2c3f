/** Templates of issues and pull requests contain HTML comments with advice for their authors. Readers never see them. */

/** Services limit their texts to about this length. */
const MAX_TEXT_LENGTH = 65_536;
const MARKS = /<!--|(?<=^|\n)[ ]{0,3}(?:`{3,}|~{3,})|`+/g;

/** The Markdown without its HTML comments. Those in code stay, because readers see them. */
export function withoutHtmlComments(markdown: string): string {
  const text = markdown.slice(0, MAX_TEXT_LENGTH);
  if (!text.includes('<!--')) return markdown;
  // A text can begin thousands of comments without an end.
  const lastEnd = text.lastIndexOf('-->');
  let shown = '';
  let at = 0;
  MARKS.lastIndex = 0;
  for (let mark = MARKS.exec(text); mark !== null; mark = MARKS.exec(text)) {
    const [found] = mark;
    const end = found === '<!--' ? endOfComment(text, mark.index, lastEnd) : endOfCode(text, mark.index, found);
    if (end === undefined) continue;
    if (found === '<!--') {
      shown += text.slice(at, mark.index);
      // A comment on lines of its own leaves no blank lines.
      at = /(?:^|\n)[ \t]*$/.test(shown.slice(-100))
        ? end + (/^\s*\n/.exec(text.slice(end, end + 1000))?.[0].length ?? 0)
        : end;
    }
    MARKS.lastIndex = Math.max(end, at);
  }
  return (shown + text.slice(at)).trimEnd();
}

/** A comment that begins a line and has no end reaches to the end of the text. */
function endOfComment(text: string, start: number, lastEnd: number): number | undefined {
  const from = start + '<!--'.length;
  if (from <= lastEnd) return text.indexOf('-->', from) + '-->'.length;
  return /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, start - 4), start)) ? text.length : undefined;
}

/** The end of code that this mark begins; undefined if nothing ends it. */
function endOfCode(text: string, start: number, mark: string): number | undefined {
  const fence = mark.trimStart();
  const from = start + mark.length;
  if (fence.length >= 3 && (mark !== fence || start === 0 || text[start - 1] === '\n')) {
    const end = text.indexOf(`\n${fence}`, from);
    return end < 0 ? text.length : end + 1 + fence.length;
  }
  for (let end = text.indexOf(fence, from); end >= 0; end = text.indexOf(fence, end)) {
    let after = end + fence.length;
    while (text[after] === '`') after += 1;
    if (after - end === fence.length) return after;
    end = after;
  }
  return undefined;
}
