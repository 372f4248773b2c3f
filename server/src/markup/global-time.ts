import type { StateInline } from 'markdown-it';

const LESS_THAN = 60;
const SYNTAX = /<time:([^>\n]{1,200})>/y;
const UNIX_SECONDS = /^-?\d{1,11}(?:\.\d{1,9})?$/;
/** Ends in `Z`, an offset, or an abbreviation that `Date.parse` knows. */
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2}|\b(?:UTC|GMT|[ECMP][SD]T))$/i;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** `<time:2026-11-21T09:00:00+01:00>`: a moment that every reader sees in their own time zone. */
export function globalTime(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== LESS_THAN) return false;
  SYNTAX.lastIndex = pos;
  const match = SYNTAX.exec(src);
  const written = match?.[1];
  if (!match || written === undefined || pos + match[0].length > state.posMax) return false;
  if (!silent) {
    const token = state.push('global_time', 'time', 0);
    token.content = written;
    const moment = parseMoment(written);
    token.meta = { datetime: moment === undefined ? undefined : formatMoment(moment) };
  }
  state.pos = pos + match[0].length;
  return true;
}

/** Milliseconds since 1970 of a time as people write them; without a zone it is UTC. */
function parseMoment(written: string): number | undefined {
  const text = written.trim();
  const moment = UNIX_SECONDS.test(text) ? Number(text) * 1000 : parseDate(text);
  return Number.isFinite(moment) && moment >= EARLIEST && moment <= LATEST ? moment : undefined;
}

function parseDate(text: string): number {
  // A bare number or word is not a date, however hard Date.parse tries.
  if (!/\d/.test(text) || !/[\s/:-]/.test(text)) return Number.NaN;
  const plain = text.replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1').replace(/(\d)([ap]m)\b/gi, '$1 $2');
  if (HAS_ZONE.test(plain) && /\d:\d/.test(plain)) return Date.parse(plain);
  return /^\d{4}-\d{2}-\d{2}T/.test(plain) ? Date.parse(`${plain}Z`) : Date.parse(`${plain} UTC`);
}

function formatMoment(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
