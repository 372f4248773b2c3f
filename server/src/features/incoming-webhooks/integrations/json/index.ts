import type { Integration } from '../../integration.ts';
import { codeBlock } from '../../markdown.ts';
import { gallery } from './gallery.ts';

export const json: Integration = {
  name: 'json',
  title: 'JSON',
  gallery,
  events: [],
  ignored: {},
  render({ payload }) {
    return { event: 'json', topic: 'JSON', content: codeBlock('json', formatted(payload.raw)) };
  },
};

/** A message shows 3,000 characters, and each value takes one or more. So values after these would not be visible. */
const MAX_VALUES = 3000;
/** The lines before a value of this depth, with their indentation, have more than 3,000 characters. */
const MAX_DEPTH_LEVELS = 60;

/** Only what is visible: with its indentation, a long list deep inside would become much longer than the body. */
function formatted(payload: unknown): string {
  let values = 0;
  const beginningOf = (value: unknown, depth: number): unknown => {
    values += 1;
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH_LEVELS) return null;
    const kept: [name: string, field: unknown][] = [];
    for (const [name, field] of Object.entries(value)) {
      if (values > MAX_VALUES) break;
      kept.push([name, beginningOf(field, depth + 1)]);
    }
    return Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept);
  };
  return JSON.stringify(beginningOf(payload, 0), null, 2);
}
