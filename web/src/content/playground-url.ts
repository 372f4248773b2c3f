/** One expression of a template, for example `{code}` or `{?code}` (RFC 6570). */
const EXPRESSION = /\{([+#./;?&]?)([^{}]*)\}/g;

const OPERATORS: Readonly<
  Record<string, { readonly before: string; readonly isNamed: boolean; readonly isRaw: boolean }>
> = {
  '': { before: '', isNamed: false, isRaw: false },
  '+': { before: '', isNamed: false, isRaw: true },
  '#': { before: '#', isNamed: false, isRaw: true },
  '.': { before: '.', isNamed: false, isRaw: false },
  '/': { before: '/', isNamed: false, isRaw: false },
  ';': { before: ';', isNamed: true, isRaw: false },
  '?': { before: '?', isNamed: true, isRaw: false },
  '&': { before: '&', isNamed: true, isRaw: false },
};

/**
 * The address of a playground that shows `code`. The template (RFC 6570) has the variable `code`. Others are undefined, so
 * they expand to nothing.
 * @returns undefined if the result is no address of the web
 */
export function playgroundUrl(template: string, code: string): string | undefined {
  const url = template.replace(EXPRESSION, (_, operator: string, names: string) => {
    const { before, isNamed, isRaw } = OPERATORS[operator] ?? { before: '', isNamed: false, isRaw: false };
    const variable = names.split(',').find((name) => /^code(?:\*|:\d{1,4})?$/.test(name.trim()));
    if (variable === undefined) return '';
    const length = Number(/:(\d+)$/.exec(variable.trim())?.[1] ?? Number.POSITIVE_INFINITY);
    const text = Number.isFinite(length) ? [...code].slice(0, length).join('') : code;
    const value = isRaw ? encodeURI(text.toWellFormed()) : strictlyEncoded(text);
    if (!isNamed) return before + value;
    return `${before}code${value === '' && operator === ';' ? '' : `=${value}`}`;
  });
  return /^https?:\/\//i.test(url) ? url : undefined;
}

function strictlyEncoded(text: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, escaped);
}
