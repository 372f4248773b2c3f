/** Later entries of the header are ignored. Browsers send about ten at most. */
const MAX_LANGUAGES = 20;

/**
 * The languages of an `Accept-Language` header as BCP 47 tags, the preferred one first: `de-AT, en;q=0.5` gives
 * `['de-AT', 'en']`. A refused language (`q=0`) and the wildcard are left out.
 */
export function acceptedLanguages(header: string | undefined): readonly string[] {
  const entries = (header ?? '').split(',', MAX_LANGUAGES).map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const accepted = entries.filter(({ tag, quality }) => tag !== '' && tag !== '*' && quality > 0);
  return accepted.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag);
}
