/**
 * A quote in the form of the reference, which other clients translate: a silent mention with a link, then a block.
 * @param name the name of the author, with an id if it is ambiguous
 */
export function quoteOf(name: string, url: string, content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/^\s*(`{3,})/gm)].map(([, ticks = '']) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `@_**${name}** [said](${url}):\n${fence}quote\n${content}\n${fence}\n`;
}
