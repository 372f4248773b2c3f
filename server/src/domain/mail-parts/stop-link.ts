import type { MailBlock } from '../../mail/mail.ts';
import { html } from '../../pages/html.ts';

/** The line at the end of a mail, with a link that stops such mails. */
export function stopLink(label: string, url: string): MailBlock {
  return {
    text: `${label}: ${url}`,
    html: html`<p style="color: #555555"><a href="${url}">${label}</a></p>`,
  };
}
