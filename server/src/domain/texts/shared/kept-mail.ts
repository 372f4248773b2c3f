import { html } from '../../../pages/html.ts';

/** The text on pages about a mail if there is no mail server: the mail is a file for the operator. */
export const KEPT_MAIL = html`
<p>This server does not send mails. It keeps them as files in the folder <code>mail</code> of its data directory. Ask the operator of the server for yours.</p>`;
