/** The topic of a mail: its title without what mail programs add to the title of an answer or of a forwarded mail. */
import { MAX_TOPIC_LENGTH } from '../../access/limits.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';

const NO_TITLE = 'Email with no subject';

/** Before the title of an answer, in the languages of common mail programs. */
const ANSWERS = `re aw antw antwort sv vs res rép odp odg ynt vá bls atb ats отв ответ відп απ σχετ רה השב תגובה رد
  回复 回覆 答复 答覆 返信 답장 회신`;
/** Before the title of a mail that was forwarded. */
const FORWARDS = `fw fwd wg rv enc tr vb vl vbs doorst pd İLT ilt továbbítás trs yml fs пересл προωθ πρθ הועבר
  转发 轉寄 轉發 转寄 転送 전달`;
const WORDS = `${ANSWERS} ${FORWARDS}`.trim().split(/\s+/).join('|');
/** Some programs count: `Re[2]:`, `Re(2):`, `Re^2:`. The Italian Outlook writes `R:` and `I:`. */
const COUNT = '(?:\\s?(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3}))?';
const PREFIX = new RegExp(`^(?:(?:${WORDS}|إعادة\\sتوجيه)${COUNT}|R|I)\\s?[:：]+\\s*`, 'iu');
const SMALL_LETTER = /^[ri]\s?[:：]/;
const FORWARDED = /\s*\((?:fwd?|forwarded|wg)\)$/i;
/** Like `[Fwd: Looms]`. */
const IN_BRACKETS = /^\[([^[\]]*(?:\[[^[\]]*\][^[\]]*)*)\]$/;
/** The name of a mailing list, which stays. */
const TAG = /^\[[^[\]:]{1,50}\]\s*/;

export function topicOf(title: string): string {
  const bare = withoutPrefixes(title.normalize('NFC').trim());
  return truncate(bare === '' ? NO_TITLE : bare, MAX_TOPIC_LENGTH, '…');
}

/** A title has few characters (`parsing.ts`), and each turn removes some. */
function withoutPrefixes(title: string): string {
  let rest = title;
  let tag = '';
  for (;;) {
    const before = rest;
    rest = withoutPrefix(rest).replace(FORWARDED, '');
    const [, inner = ''] = IN_BRACKETS.exec(rest) ?? [];
    if (withoutPrefix(inner) !== inner) rest = inner;
    // `[weavers] Re: Looms` and `Re: [weavers] Looms` are one topic.
    const [found = ''] = TAG.exec(rest) ?? [];
    if (found !== '' && found.length < rest.length && (tag === '' || tag === found.trim())) {
      tag = found.trim();
      rest = rest.slice(found.length);
    }
    rest = rest.trim();
    if (rest === before) return `${tag} ${rest}`.trim();
  }
}

function withoutPrefix(title: string): string {
  return SMALL_LETTER.test(title) ? title : title.replace(PREFIX, '');
}
