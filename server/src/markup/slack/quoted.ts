import { MARKDOWN_BEGIN, MARKDOWN_END } from './escapes.ts';

const BLOCK = new RegExp(
  `(\`\`\`[\\s\\S]*?\`\`\`|${MARKDOWN_BEGIN}[^${MARKDOWN_BEGIN}${MARKDOWN_END}]*${MARKDOWN_END})`,
);

/** The mrkdwn as a quote. Lines inside of code have no mark: their block stands in a line that has one. */
export function quoted(mrkdwn: string): string {
  const marked = mrkdwn
    .split(BLOCK)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('\n', '\n&gt; ')))
    .join('');
  return `&gt; ${marked}`;
}
