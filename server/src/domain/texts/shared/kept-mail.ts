import type { Language } from '../../../languages/language.ts';
import { type Html, html } from '../../../pages/html.ts';
import { richIn } from '../../../pages/rich.ts';

/** The text on pages about a mail if there is no mail server: the mail is a file for the operator. */
export function keptMail(language: Language): Html {
  const text = richIn(language)(
    'This server does not send mails. It keeps them as files in the folder <code>mail</code> of its data directory. Ask the operator of the server for yours.',
    {},
    { code: (inner) => html`<code>${inner}</code>` },
  );
  return html`
<p>${text}</p>`;
}
