import MarkdownIt from 'markdown-it';

const { mdurl } = new MarkdownIt().utils.lib;

/** Schemes that a link may have: none that can run code, read local files or start another program. */
const ALLOWED_SCHEMES = new Set(['http', 'https', 'ftp', 'mailto', 'tel', 'sms', 'bitcoin']);
/** Schemes whose address has no `//host`. */
const HOSTLESS_SCHEMES = new Set(['mailto', 'tel', 'sms', 'bitcoin']);

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** `localhost:9991/page` has no scheme, though it looks like one. */
const HOST_AND_PORT = /^[\w.-]+:\d{1,5}(?:[/?#]|$)/;
const SAFE_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;
/** The endings of image addresses, in any case. PostgreSQL understands this expression, too. */
export const IMAGE_NAME = /\.(?:avif|bmp|gif|jpe?g|png|webp|heic|heif|tiff?)/;
const IMAGE_PATH = new RegExp(`${IMAGE_NAME.source}$`, 'i');

/**
 * The safe form of a link's address as it was written; undefined where there is none. An address without a scheme that begins with `/` or
 * `#` is a path of this organization. One with an `@` is a mail address, and any other is a web address.
 */
export function safeLinkUrl(written: string): string | undefined {
  const url = written.trim();
  if (url === '') return undefined;
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (scheme !== undefined && ALLOWED_SCHEMES.has(scheme)) {
    if (!HOSTLESS_SCHEMES.has(scheme) && !/^[a-z]+:\/\/[^/\s]/i.test(url)) return undefined;
    return encodeUnsafe(url);
  }
  if (scheme !== undefined && !HOST_AND_PORT.test(url)) return undefined;
  if (url.startsWith('//') || url.startsWith('/\\') || url.startsWith('\\')) return undefined;
  if (url.startsWith('/') || url.startsWith('#')) return encodeUnsafe(url);
  if (url.startsWith('user_uploads/')) return encodeUnsafe(url);
  if (/^[^\s/?#:@]+@[^\s/?#:@]+$/.test(url)) return encodeUnsafe(`mailto:${url}`);
  return encodeUnsafe(`http://${url}`);
}

/** Whether an `href` may have this value. The sanitizer asks it again about the finished attribute. */
export function isAllowedHref(href: string): boolean {
  const scheme = SCHEME.exec(href)?.[1]?.toLowerCase();
  if (scheme !== undefined) return ALLOWED_SCHEMES.has(scheme);
  return (href.startsWith('/') && !href.startsWith('//')) || href.startsWith('#') || href.startsWith('user_uploads/');
}

/** Links into the organization become relative, so that they stay valid when its address changes. */
export function relativeToOrganization(url: string, organizationUrl: string): string {
  for (const address of addressesOf(organizationUrl)) {
    const prefix = `${address}/`;
    if (url.startsWith(`${prefix}#`) || url.startsWith(`${prefix}user_uploads/`)) return url.slice(prefix.length);
  }
  return url;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** All loopback names are addresses of a server whose settings contain one of them. */
function addressesOf(organizationUrl: string): readonly string[] {
  const [, before = '', host = '', port = ''] = /^(https?:\/\/)(\[[^\]]*\]|[^:/]*)(:\d+)?$/.exec(organizationUrl) ?? [];
  return LOOPBACK.includes(host) ? LOOPBACK.map((name) => `${before}${name}${port}`) : [organizationUrl];
}

/** Images of other servers that messages can show: formats that browsers show and that run nothing. */
const EXTERNAL_IMAGE = /^https?:\/\/[^/?#]+\/[^?#]*\.(?:avif|gif|jpe?g?|png|webp)(?:[?#]|$)/i;

export function isExternalImageUrl(url: string, organizationUrl: string): boolean {
  return EXTERNAL_IMAGE.test(url) && !addressesOf(organizationUrl).some((address) => url.startsWith(`${address}/`));
}

export function isUploadUrl(url: string): boolean {
  return /^\/?user_uploads\//.test(url);
}

export function isImageUrl(url: string): boolean {
  const end = url.search(/[?#]/);
  return IMAGE_PATH.test(end < 0 ? url : url.slice(0, end));
}

function encodeUnsafe(url: string): string {
  return SAFE_CHARACTERS.test(url) ? url : mdurl.encode(url.toWellFormed());
}
