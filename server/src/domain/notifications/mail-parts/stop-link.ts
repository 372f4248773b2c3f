import { inAllLanguages, msg } from '../../../languages/language.ts';
import type { MailBlock } from '../../../mail/mail.ts';
import { html } from '../../../pages/html.ts';
import { hasUnsubscribeKey, type StoppableMail } from './unsubscribing.ts';

/** The texts of the links. */
export const STOP_LABELS = {
  missed_messages: msg('Stop mails about missed messages'),
  digest: msg('Stop the weekly digest'),
  login: msg('Stop mails about new logins'),
} as const satisfies Readonly<Record<StoppableMail, unknown>>;

/** The line at the end of a mail, with a link that stops such mails. */
export function stopLink(label: string, url: string): MailBlock {
  return {
    text: `${label}: ${url}`,
    html: html`<p style="color: #555555"><a href="${url}">${label}</a></p>`,
  };
}

/**
 * Removes such lines from a text that others will read, because everyone can use the link. In other lines, only the link
 * is removed: they can contain what a person wrote.
 */
export function withoutStopLinks(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => (hasUnsubscribeKey(line) ? restOf(line) : [line]))
    .join('\n');
}

/** Others may quote a mail in another language. */
function ownLabels(): ReadonlySet<string> {
  return new Set(Object.values(STOP_LABELS).flatMap(inAllLanguages));
}

function restOf(line: string): readonly string[] {
  const rest = line
    .split(/(\s)/)
    .filter((word) => !hasUnsubscribeKey(word))
    .join('');
  const label = rest.replaceAll('>', '').trim();
  return label === '' || ownLabels().has(label.replace(/(?<!\s)\s*:$/, '')) ? [] : [rest.trimEnd()];
}
