/** The pages for setting a password and confirming an address. */
import type { PageAnswer } from '../../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../../pages/forms.ts';
import { type HtmlValue, html } from '../../../pages/html.ts';
import { richIn } from '../../../pages/rich.ts';
import { PASSWORD_LENGTH } from '../../credentials/passwords.ts';
import { organizationPage, type PageView } from '../../organizations/organization-pictures/organization-page.ts';
import { keptMail } from '../../texts/shared/kept-mail.ts';

interface Frame {
  readonly heading: string;
  readonly content: HtmlValue;
  readonly hasScript?: boolean;
  /** Only for refusals. */
  readonly status?: 400 | 404;
}

/** The URL of some of these pages opens an account, so no cache may store them. */
function accountPage(view: PageView, { status, ...frame }: Frame): PageAnswer {
  const isRefused = status !== undefined;
  return organizationPage(view, { ...frame, isRefused }, { cacheControl: 'no-store', ...(isRefused && { status }) });
}

interface FormPage {
  readonly csrfToken: string;
  readonly problems?: Problems;
}

const statusOf = (problems: Problems) => (Object.keys(problems).length > 0 ? ({ status: 400 } as const) : {});

const code = (inner: HtmlValue) => html`<code>${inner}</code>`;

export function askForResetPage(
  view: PageView,
  { csrfToken, email, sendsMails, problems = {} }: FormPage & { readonly email?: string; readonly sendsMails: boolean },
): PageAnswer {
  const { language } = view;
  const { t } = language;
  const text = sendsMails
    ? t('Enter the email address of your account. We mail you a link that sets a new password.')
    : t('Enter the email address of your account. You get a link that sets a new password.');
  const content = html`
${errorSummary(language, problems)}
<p>${text}</p>
${form({
  action: '/accounts/password/reset/',
  csrfToken,
  submit: sendsMails ? t('Send the link') : t('Ask for the link'),
  content: field(language, {
    name: 'email',
    label: t('Email address'),
    type: 'email',
    autocomplete: 'username',
    value: email,
    problem: problems.email,
    isFirst: problems.email === undefined,
  }),
})}
<p class="after"><a href="/login/">${t('Back to the login page')}</a></p>`;
  return accountPage(view, { heading: t('Set a new password'), content, ...statusOf(problems) });
}

/**
 * The same text whether the account exists or not.
 * @param sendsMails whether there is a mail server
 */
export function resetAskedPage(view: PageView, sendsMails: boolean): PageAnswer {
  const { t } = view.language;
  const sent = () => html`
<p>${t('If an account with a password has this address, a mail with a link is on its way. The link is valid for one day.')}</p>
<p>${t('If no mail arrives, check your spam folder, or try your other addresses. The server sends only a few mails a day to an address.')}</p>`;
  const kept = () => html`
<p>${t('If an account with a password has this address, the server has written a mail with a link. The link is valid for one day.')}</p>
${keptMail(view.language)}`;
  const heading = sendsMails ? t('Look into your mails') : t('Ask for your mail');
  return accountPage(view, { heading, content: sendsMails ? sent() : kept() });
}

export function newPasswordPage(
  view: PageView,
  { csrfToken, action, address, problems = {} }: FormPage & { readonly action: string; readonly address: string },
): PageAnswer {
  const { language } = view;
  const { t } = language;
  const { minimum, maximum } = PASSWORD_LENGTH;
  const content = html`
${errorSummary(language, problems)}
<p>${richIn(language)('Your account: <code>{address}</code>', { address }, { code })}</p>
${form({
  action,
  csrfToken,
  submit: t('Set the password'),
  content: field(language, {
    name: 'password',
    label: t('New password'),
    type: 'password',
    autocomplete: 'new-password',
    minLength: minimum,
    maxLength: maximum,
    hint: t('At least {minimum} characters. Several unrelated words make a good password.', { minimum }),
    problem: problems.password,
    isFirst: problems.password === undefined,
  }),
})}`;
  return accountPage(view, { heading: t('Set a new password'), hasScript: true, content, ...statusOf(problems) });
}

export function passwordSetPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const content = html`
<p>${t('Your account has the new password, and is logged out of all browsers. Apps stay logged in: whoever must not have your API key any more is shut out by a new one, which you get in the settings.')}</p>
<p><a class="button" href="/login/">${t('Log in')}</a></p>`;
  return accountPage(view, { heading: t('The password is set'), content });
}

export function endedLinkPage(view: PageView): PageAnswer {
  const { t } = view.language;
  const rich = richIn(view.language);
  const next = rich(
    '<reset>Ask for a new password</reset>, or <login>log in</login>.',
    {},
    {
      reset: (inner) => html`<a href="/accounts/password/reset/">${inner}</a>`,
      login: (inner) => html`<a href="/login/">${inner}</a>`,
    },
  );
  const content = html`
<p role="alert">${t('The link has been used, is older than a day, or is not complete. What was asked for before a change of the account is good no longer, either.')}</p>
<p>${next}</p>`;
  return accountPage(view, { heading: t('This link does not work'), content, status: 404 });
}

export function confirmAddressPage(
  view: PageView,
  { csrfToken, action, address }: FormPage & { readonly action: string; readonly address: string },
): PageAnswer {
  const { t } = view.language;
  const text = richIn(view.language)(
    'Your account gets the address <code>{address}</code>. From then on you log in with it.',
    { address },
    { code },
  );
  const content = html`
<p>${text}</p>
${form({ action, csrfToken, submit: t('Confirm the address') })}`;
  return accountPage(view, { heading: t('Confirm your new address'), content });
}

export function addressConfirmedPage(view: PageView, address: string): PageAnswer {
  const { t } = view.language;
  const text = richIn(view.language)(
    'Your account has the address <code>{address}</code> now. You log in with it.',
    { address },
    { code },
  );
  return accountPage(view, { heading: t('The address is changed'), content: html`<p>${text}</p>` });
}

export function addressRefusedPage(view: PageView, why: string): PageAnswer {
  const { t } = view.language;
  const content = html`<p role="alert">${view.language.known(why)}</p><p>${t('The account keeps the address that it has.')}</p>`;
  return accountPage(view, { heading: t('The address cannot be changed'), content, status: 400 });
}
