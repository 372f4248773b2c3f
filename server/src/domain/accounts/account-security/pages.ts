/** The pages for setting a password and confirming an address. */
import type { Organization } from '../../../directory/organization.ts';
import { type PageAnswer, page } from '../../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../../pages/forms.ts';
import { type HtmlValue, html } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import { PASSWORD_LENGTH } from '../../credentials/passwords.ts';
import { KEPT_MAIL } from '../../texts/shared/kept-mail.ts';

interface Frame {
  readonly heading: string;
  readonly content: HtmlValue;
  /** Only for refusals. */
  readonly status?: 400 | 404;
}

/** The URL of some of these pages opens an account, so no cache may store them. */
function accountPage({ directory }: Organization, { heading, content, status }: Frame): PageAnswer {
  const { name } = directory.organization;
  const isRefused = status !== undefined;
  return page(layout({ heading, organization: name, isRefused, content }), {
    cacheControl: 'no-store',
    ...(isRefused && { status }),
  });
}

interface FormPage {
  readonly csrfToken: string;
  readonly problems?: Problems;
}

const statusOf = (problems: Problems) => (Object.keys(problems).length > 0 ? ({ status: 400 } as const) : {});

export function askForResetPage(
  organization: Organization,
  { csrfToken, email, sendsMails, problems = {} }: FormPage & { readonly email?: string; readonly sendsMails: boolean },
): PageAnswer {
  const way = sendsMails ? 'We mail you a link that sets a new password.' : 'You get a link that sets a new password.';
  const content = html`
${errorSummary(problems)}
<p>Enter the email address of your account. ${way}</p>
${form({
  action: '/accounts/password/reset/',
  csrfToken,
  submit: sendsMails ? 'Send the link' : 'Ask for the link',
  content: field({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'username',
    value: email,
    problem: problems.email,
  }),
})}
<p><a href="/login/">Back to the login page</a></p>`;
  return accountPage(organization, { heading: 'Set a new password', content, ...statusOf(problems) });
}

/**
 * The same text whether the account exists or not.
 * @param sendsMails whether there is a mail server
 */
export function resetAskedPage(organization: Organization, sendsMails: boolean): PageAnswer {
  const sent = html`
<p>If an account with a password has this address, a mail with a link is on its way. The link is valid for one day.</p>
<p>If no mail arrives, check your spam folder, or try your other addresses. The server sends only a few mails a day to an address.</p>`;
  const kept = html`
<p>If an account with a password has this address, the server has written a mail with a link. The link is valid for one day.</p>
${KEPT_MAIL}`;
  const heading = sendsMails ? 'Look into your mails' : 'Ask for your mail';
  return accountPage(organization, { heading, content: sendsMails ? sent : kept });
}

export function newPasswordPage(
  organization: Organization,
  { csrfToken, action, address, problems = {} }: FormPage & { readonly action: string; readonly address: string },
): PageAnswer {
  const { minimum, maximum } = PASSWORD_LENGTH;
  const content = html`
${errorSummary(problems)}
<p>Your account: <code>${address}</code></p>
${form({
  action,
  csrfToken,
  submit: 'Set the password',
  content: field({
    name: 'password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    minLength: minimum,
    maxLength: maximum,
    hint: `At least ${minimum} characters. Several unrelated words make a good password.`,
    problem: problems.password,
  }),
})}`;
  return accountPage(organization, { heading: 'Set a new password', content, ...statusOf(problems) });
}

export function passwordSetPage(organization: Organization): PageAnswer {
  const content = html`
<p>Your account has the new password, and is logged out of all browsers. Apps stay logged in: whoever must not have your API key any more is shut out by a new one, which you get in the settings.</p>
<p><a class="button" href="/login/">Log in</a></p>`;
  return accountPage(organization, { heading: 'The password is set', content });
}

export function endedLinkPage(organization: Organization): PageAnswer {
  const content = html`
<p role="alert">The link has been used, is older than a day, or is not complete. What was asked for before a change of the account is good no longer, either.</p>
<p><a href="/accounts/password/reset/">Ask for a new password</a>, or <a href="/login/">log in</a>.</p>`;
  return accountPage(organization, { heading: 'This link does not work', content, status: 404 });
}

export function confirmAddressPage(
  organization: Organization,
  { csrfToken, action, address }: FormPage & { readonly action: string; readonly address: string },
): PageAnswer {
  const content = html`
<p>Your account gets the address <code>${address}</code>. From then on you log in with it.</p>
${form({ action, csrfToken, submit: 'Confirm the address' })}`;
  return accountPage(organization, { heading: 'Confirm your new address', content });
}

export function addressConfirmedPage(organization: Organization, address: string): PageAnswer {
  const content = html`<p>Your account has the address <code>${address}</code> now. You log in with it.</p>`;
  return accountPage(organization, { heading: 'The address is changed', content });
}

export function addressRefusedPage(organization: Organization, why: string): PageAnswer {
  const content = html`<p role="alert">${why}</p><p>The account keeps the address that it has.</p>`;
  return accountPage(organization, { heading: 'The address cannot be changed', content, status: 400 });
}
