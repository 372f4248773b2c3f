/**
 * Writes the names that Slack and Mattermost use for Unicode emoji: `scripts/node scripts/generate-emoji-codes.ts`. They come from
 * `emojibase-data`, which takes them from the data set of iamcal that both programs use.
 */
import { readFile, writeFile } from 'node:fs/promises';

const source = new URL(import.meta.resolve('emojibase-data/en/shortcodes/iamcal.json'));
const target = new URL('../operator/src/import/conversion/emoji-codes.txt', import.meta.url);

/** Skin tones are no emoji of their own. */
const isSkinTone = (key: string) => /^1F3F[B-F]$/.test(key);
/** Slack's own names. */
const MORE: Readonly<Record<string, string>> = { '1f642': 'simple_smile' };

const given: Readonly<Record<string, string | readonly string[]>> = JSON.parse(await readFile(source, 'utf8'));
const lines = Object.entries(given)
  .filter(([key]) => !isSkinTone(key))
  .map(([key, names]) => {
    const code = key.toLowerCase().replaceAll('-fe0f', '');
    return [code, names, MORE[code] ?? []].flat().join(' ');
  });
await writeFile(target, `${lines.sort().join('\n')}\n`);
