/** Slack's markup ("mrkdwn") as Markdown. */
import type { References } from '../conversion/neutral.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Code stays as it is. Everything else has `<…>` for mentions and links, and single characters for emphasis. */
export function markdownOf(text: string, references: References): string {
  return text
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeOf(part) : proseOf(part, references)))
    .join('');
}

function codeOf(code: string): string {
  const plain = unescaped(
    code.replaceAll(/<([^<>\n|]+)(?:\|([^<>\n]*))?>/g, (_, target: string, label?: string) => label ?? target),
  );
  if (!plain.startsWith('```')) return plain;
  const content = plain.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '');
  return `\n\`\`\`\n${content}\n\`\`\`\n`;
}

function proseOf(text: string, references: References): string {
  return text
    .split(/(<[^<>\n]+>)/)
    .map((part, index) => (index % 2 === 1 ? angleOf(part.slice(1, -1), references) : unescaped(emphasisOf(part))))
    .join('');
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** `*bold*`, `_italic_`, `~struck~`; lines that begin with a bullet. Skin tones of emoji have no counterpart. */
function emphasisOf(text: string): string {
  return text
    .replaceAll(/(^|[\s(["'_~])\*(\S(?:[^*\n]*\S)?)\*(?=$|[\s.,:;!?)\]"'_~])/gm, '$1**$2**')
    .replaceAll(/(^|[\s(["'*~])_(\S(?:[^_\n]*\S)?)_(?=$|[\s.,:;!?)\]"'*~])/gm, '$1*$2*')
    .replaceAll(/(^|[\s(["'*_])~(\S(?:[^~\n]*\S)?)~(?=$|[\s.,:;!?)\]"'*_])/gm, '$1~~$2~~')
    .replaceAll(/^[•◦▪] /gm, '* ')
    .replaceAll(/:skin-tone-\d:/g, '');
}

/** What is between `<` and `>`. */
function angleOf(inner: string, references: References): string {
  const bar = inner.indexOf('|');
  const target = bar < 0 ? inner : inner.slice(0, bar);
  const label = bar < 0 ? undefined : unescaped(inner.slice(bar + 1));
  const id = target.slice(1);
  if (target.startsWith('@')) return references.mention(id) ?? `@${label ?? id}`;
  if (target.startsWith('#')) return references.channel(id) ?? `#${label ?? id}`;
  if (target.startsWith('!subteam^')) {
    const group = references.groupMention(target.slice('!subteam^'.length));
    if (group !== undefined) return group;
  }
  if (target.startsWith('!')) return commandOf(id, label);
  return linkOf(unescaped(target), label, references);
}

function commandOf(command: string, label: string | undefined): string {
  if (/^(?:channel|here|everyone)$/.test(command)) return '@**all**';
  if (command.startsWith('date^')) return label ?? new Date(Number(command.split('^')[1]) * 1000 || 0).toISOString();
  return label ?? `@${command.split('^')[1] ?? command}`;
}

/** A link to a message of the workspace: `https://team.slack.com/archives/C012/p1700000000000100`. */
const PERMALINK = /^https:\/\/[\w.-]+\.slack\.com\/archives\/(\w+)\/p(\d{10})(\d{6})(?:[?#].*)?$/;

function linkOf(target: string, label: string | undefined, references: References): string {
  const [, channel, seconds, micros] = PERMALINK.exec(target) ?? [];
  const url = (channel && references.message(`${channel} ${seconds}.${micros}`)) || target;
  if (target.startsWith('mailto:')) return label ?? target.slice('mailto:'.length);
  if (label === undefined || label === target) return url === target ? target : `[${target}](${url})`;
  return `[${label.replaceAll(/[[\]]/g, '\\$&')}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
