import type { StateInline } from 'markdown-it';

const LESS_THAN_CODE = 60;
const SYNTAX = /<time:([^>\n]{1,200})>/y;
const UNIX_SECONDS = /^-?\d{1,11}(?:\.\d{1,9})?$/;
/** Ends in `Z`, an offset, or an abbreviation that `Date.parse` knows. */
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2}|\b(?:UTC|GMT|[ECMP][SD]T))$/i;
/** Time zones that people write and `Date.parse` does not know. */
const ZONES: ReadonlyMap<string, string> = new Map(
  [
    'AEST+1000 AEDT+1100 ACST+0930 ACDT+1030 AWST+0800 NZST+1200 NZDT+1300 JST+0900 KST+0900 HKT+0800 SGT+0800 WIB+0700 IST+0530 PKT+0500',
    'MSK+0300 EAT+0300 EET+0200 EEST+0300 SAST+0200 CAT+0200 CET+0100 CEST+0200 WAT+0100 BST+0100 WET+0000 WEST+0100 ART-0300 BRT-0300',
    'NST-0330 NDT-0230 AST-0400 ADT-0300 AKST-0900 AKDT-0800 HST-1000',
  ]
    .join(' ')
    .split(' ')
    .map((zone) => [zone.slice(0, -5), zone.slice(-5)]),
);
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** `<time:2026-11-21T09:00:00+01:00>`: a moment that every reader sees in their own time zone. */
export function globalTime(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== LESS_THAN_CODE) return false;
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

/** Milliseconds since 1970. A time without a zone is UTC. */
function parseMoment(written: string): number | undefined {
  const text = written.trim();
  const moment = UNIX_SECONDS.test(text) ? Number(text) * 1000 : parseDate(text);
  return Number.isFinite(moment) && moment >= EARLIEST && moment <= LATEST ? moment : undefined;
}

function parseDate(text: string): number {
  // `Date.parse` accepts many bare numbers and words, which are no dates.
  if (!/\d/.test(text) || !/[\s/:-]/.test(text)) return Number.NaN;
  const plain = text.replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1').replace(/(\d)([ap]m)\b/gi, '$1 $2');
  const zoned = plain.replace(/ ([A-Z]{3,4})$/, (abbreviation, zone) => ` ${ZONES.get(zone) ?? abbreviation.trim()}`);
  if (HAS_ZONE.test(zoned) && /\d:\d/.test(zoned)) return Date.parse(zoned);
  return /^\d{4}-\d{2}-\d{2}T/.test(plain) ? Date.parse(`${plain}Z`) : Date.parse(`${plain} UTC`);
}

function formatMoment(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19)}Z`;
}
