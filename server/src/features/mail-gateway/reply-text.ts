/**
 * Cuts what mail programs add to a reply: the quoted mail and the signature. It reads each line a few times at most, so
 * no mail can keep it busy.
 */

/** Words before the header of a quoted mail, in common languages. */
const ORIGINAL =
  /^[-_ ]{2,}\s*(original message|forwarded message|ursprüngliche nachricht|message d.origine|mensaje original|messaggio originale)\b/i;
const FROM = /^\*?(from|von|de|da|van|från|od)\*?:/i;
const DATE = /^\*?(sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat)\*?:/i;
const OWN_SIGNATURE = /^(sent from my|sent from |get outlook for|von meinem .* gesendet|envoyé de mon)/i;
/** Lines of the introduction of a quote: `On Monday, Ada <ada@example.com>` and `wrote:`. */
const MAX_INTRODUCTION_LINES = 3;
/** Characters of a line that are examined. */
const MAX_EXAMINED = 300;

export function replyText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const end = lines.findIndex((line, index) => beginsOther(line, lines, index));
  const kept = end < 0 ? lines : lines.slice(0, end);
  return withoutTrailingQuote(kept).join('\n').trim();
}

/** Whether the signature or the quoted mail begins here. */
function beginsOther(whole: string, lines: readonly string[], index: number): boolean {
  const line = whole.slice(0, MAX_EXAMINED);
  if (line === '-- ' || line === '--') return true;
  if (ORIGINAL.test(line) || OWN_SIGNATURE.test(line.trim())) return true;
  return FROM.test(line) && lines.slice(index + 1, index + 4).some((next) => DATE.test(next.slice(0, MAX_EXAMINED)));
}

/** Without quoted lines at the end, and the lines that introduce them. A quote with an answer below stays. */
function withoutTrailingQuote(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  const isQuoted = (line: string) => line.startsWith('>');
  const isEmpty = (line: string) => line.trim() === '';
  while (end > 0 && (isQuoted(lines[end - 1] ?? '') || isEmpty(lines[end - 1] ?? ''))) end -= 1;
  const hasQuote = lines.slice(end).some(isQuoted);
  if (!hasQuote || !lines[end - 1]?.trim().endsWith(':')) return lines.slice(0, end);
  // The introduction ends with a colon, and can be broken into several lines.
  let begin = end - 1;
  while (begin > 0 && end - begin < MAX_INTRODUCTION_LINES && !isEmpty(lines[begin - 1] ?? '')) begin -= 1;
  return lines.slice(0, begin);
}
