/**
 * Cuts what mail programs add to a reply: the quoted mail and the signature. A quote that stays is better than a lost
 * word of the user. So it cuts only what has the form of our own mail, whose sender is known, in any language, or what
 * no person writes. It reads each line a few times at most, so no mail can keep it busy.
 */
import { isProgramSignature } from './signatures.ts';

/** The sender of our mails, as mail programs show it above a quote. */
export interface OwnSender {
  /** '' if there is none. */
  readonly name: string;
  readonly address: string;
}

/** Before the headers of a quoted mail, in common languages. */
const ORIGINAL =
  /^-{2,} ?(original message|forwarded message|ursprüngliche nachricht|message d.origine|mensaje original|messaggio originale) ?-{2,}$/i;
/** Headers of other mails. Those of our own mails need no words, because they contain our address. */
const FROM = /^\*{0,2}(from|von|de|da|van|från|od)\s?\*{0,2}:/i;
const DATE = /^\*{0,2}(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat)\s?\*{0,2}:/i;
/** A label and its end, as in `De : ` or `| From | `. An introduction has a time or an address before its colon. */
const LABEL = /^[|*\s]*[^:：|\t\d@>]{1,30}[:：|\t]/;
const ADDRESS = /[^\s@<]@[^\s@>]/;
/** A year, or a time of day. */
const TIME = /20\d\d|\d\d?[:.]\d\d/;
const WROTE = /^(on|am|le|el|il|op|den|em) .*(wrote|schrieb|écrit|escribió|scritto|schreef|skrev|escreveu)/i;
/** Lines after that of the sender in which two further headers follow. */
const MAX_HEADER_LINES = 4;
/** Lines of the introduction of a quote: `On Monday, Ada <ada@example.com>` and `wrote:`. */
const MAX_INTRODUCTION_LINES = 3;
const MAX_SIGNATURE_LINES = 2;
/** Characters of a line that are examined. */
const MAX_EXAMINED_CHARACTERS = 300;

export function replyText(text: string, own: OwnSender): string {
  return new Reply(text, own).text();
}

/** The text with its quotes. What the mail program adds below the text of its user is cut, above a quote too. */
export function withoutFooter(text: string): string {
  return new Reply(text, { name: '', address: '' }).withoutFooter();
}

class Reply {
  #lines: readonly string[];
  readonly #address: string;
  readonly #name: string;

  constructor(text: string, { name, address }: OwnSender) {
    this.#lines = text.replace(/\r\n?/g, '\n').split('\n');
    this.#address = address.toLowerCase();
    this.#name = name.toLowerCase();
  }

  text(): string {
    this.#cutOther();
    this.#cutSignature();
    this.#cutQuote();
    // Some programs sign above the quote, and others below it.
    this.#cutSignature();
    return this.#lines.join('\n').trim();
  }

  withoutFooter(): string {
    this.#cutProgramSignature();
    const lines = this.#lines;
    this.#cutQuote();
    const quote = lines.slice(this.#lines.length);
    this.#cutProgramSignature();
    return [...this.#lines, ...quote].join('\n');
  }

  /** Cuts at the first line of a quoted mail whose lines have no marks. */
  #cutOther(): void {
    for (const index of this.#lines.keys()) {
      const begin = this.#otherBegin(index);
      if (begin === undefined) continue;
      this.#cutAt(this.#withoutRule(begin));
      return;
    }
  }

  /** Where the quoted mail begins that is recognized by this line. */
  #otherBegin(index: number): number | undefined {
    const line = this.#line(index);
    if (ORIGINAL.test(line)) return index;
    if (!ADDRESS.test(line) || this.#isQuoted(index)) return undefined;
    const next = Array.from({ length: MAX_HEADER_LINES }, (_, offset) => this.#line(index + 1 + offset));
    if (FROM.test(line) && next.some((one) => DATE.test(one))) return index;
    if (!this.#isOwn(line)) return undefined;
    const isHeader = LABEL.test(line) && next.filter((one) => LABEL.test(one)).length >= 2;
    // Some programs write the time first.
    if (isHeader) return DATE.test(this.#line(index - 1)) ? index - 1 : index;
    return this.#isQuoteNext(index + 1) ? undefined : this.#introductionBegin(index + 1);
  }

  /** Without the line that mail programs draw above a quoted mail. */
  #withoutRule(end: number): number {
    let last = end - 1;
    while (last >= 0 && this.#line(last) === '') last -= 1;
    return last >= 0 && isRule(this.#line(last)) ? last : end;
  }

  /** Cuts quoted lines at the end, and the lines that introduce them. A quote with an answer below stays. */
  #cutQuote(): void {
    let end = this.#lines.length;
    while (end > 0 && (this.#isQuoted(end - 1) || this.#line(end - 1) === '')) end -= 1;
    const hasQuote = this.#lines.some((_, index) => index >= end && this.#isQuoted(index));
    this.#cutAt((hasQuote ? this.#introductionBegin(end) : undefined) ?? end);
  }

  /** Where the introduction of a quote begins that ends before `end`, if there is one. */
  #introductionBegin(end: number): number | undefined {
    if (!/[:：]$/.test(this.#line(end - 1))) return undefined;
    let joined = '';
    for (let begin = end - 1; begin >= 0 && end - begin <= MAX_INTRODUCTION_LINES; begin--) {
      const line = this.#line(begin);
      if (line === '' || this.#isQuoted(begin)) break;
      joined = `${line} ${joined}`;
      const hasSender = ADDRESS.test(joined) || (this.#name !== '' && joined.toLowerCase().includes(this.#name));
      if ((TIME.test(joined) && hasSender) || WROTE.test(joined)) return begin;
    }
    return undefined;
  }

  #isOwn(line: string): boolean {
    return line.toLowerCase().includes(this.#address);
  }

  #isQuoteNext(from: number): boolean {
    let next = from;
    while (next < this.#lines.length && this.#line(next) === '') next += 1;
    return this.#isQuoted(next);
  }

  /** Only the separator with a space ends the text (RFC 3676): people write two hyphens, too. */
  #cutSignature(): void {
    const separator = this.#lines.indexOf('-- ');
    if (separator >= 0) this.#cutAt(separator);
    this.#cutProgramSignature();
  }

  /** The last line, or the last ones, if the program breaks lines. */
  #cutProgramSignature(): void {
    const last = this.#lines.findLastIndex((line) => line.trim() !== '');
    for (let first = last; first >= 0 && last - first < MAX_SIGNATURE_LINES; first--) {
      if (this.#line(first) === '') return;
      if (!isProgramSignature(this.#lines.slice(first, last + 1).join(' '))) continue;
      this.#cutAt(['--', '-- '].includes(this.#lines[first - 1] ?? '') ? first - 1 : first);
      return;
    }
  }

  #cutAt(end: number): void {
    this.#lines = this.#lines.slice(0, end);
  }

  #isQuoted(index: number): boolean {
    return this.#lines[index]?.startsWith('>') === true;
  }

  /** The beginning of the line, without spaces around it; '' if there is no such line. */
  #line(index: number): string {
    return (this.#lines[index] ?? '').slice(0, MAX_EXAMINED_CHARACTERS).trim();
  }
}

/** Hyphens or underscores, also with a title between them. */
function isRule(line: string): boolean {
  return /^[-_—]{3}/.test(line) && /[-_—]{3}$/.test(line);
}
