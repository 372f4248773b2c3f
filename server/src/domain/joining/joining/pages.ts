/** The pages for creating an account. */
import type { PageAnswer } from '../../../http/answers/answers.ts';
import { type Message, msg } from '../../../languages/language.ts';
import { errorSummary, field, form, type Problems } from '../../../pages/forms.ts';
import { type Html, type HtmlValue, html } from '../../../pages/html.ts';
import { richIn } from '../../../pages/rich.ts';
import { PASSWORD_LENGTH } from '../../credentials/passwords.ts';
import { organizationPage, type PageView } from '../../organizations/organization-pictures/organization-page.ts';
import { keptMail } from '../../texts/shared/kept-mail.ts';
import type { Invitation } from '../invitations/rows.ts';
import type { Closed } from './finding.ts';

/** The URL of these pages gives access, so no cache may store them. */
const PRIVATE = { cacheControl: 'no-store' } as const;

/** Ways to join without a new password. */
export type OtherWays = readonly { readonly label: string; readonly url: string }[];

interface JoiningPage {
  readonly view: PageView;
  readonly invitation: Invitation | undefined;
  /** The path that the form is sent to. */
  readonly path: string;
  readonly csrfToken: string;
  readonly email?: string;
  readonly problems?: Problems;
  readonly otherWays: OtherWays;
  /** Whether there is a mail server. */
  readonly sendsMails: boolean;
}

const code = (inner: HtmlValue) => html`<code>${inner}</code>`;

/** The page that asks for the address first. */
export function addressPage(of: JoiningPage): PageAnswer {
  const { view, path, csrfToken, email, sendsMails, problems = {} } = of;
  const { t } = view.language;
  const content = html`
${form({
  action: path,
  csrfToken,
  submit: t('Go on'),
  content: field(view.language, {
    name: 'email',
    label: t('Email address'),
    type: 'email',
    autocomplete: 'email',
    value: email,
    hint: sendsMails
      ? t('We mail you a link with which you sign up.')
      : t('The operator of the server gives you a link with which you sign up.'),
    problem: problems.email,
    isFirst: problems.email === undefined,
  }),
})}`;
  return joiningPage(of, content, false);
}

export interface SignupPage extends JoiningPage {
  readonly fullName?: string;
  /** The confirmed address; undefined: the form asks for it. */
  readonly address: string | undefined;
}

/** The form that makes the account. */
export function signupPage(of: SignupPage): PageAnswer {
  const { view, path, csrfToken, address, problems = {} } = of;
  const { language } = view;
  const { t } = language;
  const isKnown = address !== undefined;
  const content = form({
    action: path,
    csrfToken,
    submit: t('Sign up'),
    content: html`
${field(language, {
  name: 'full_name',
  label: t('Full name'),
  autocomplete: 'name',
  hint: t('Others see this name.'),
  value: of.fullName,
  maxLength: 100,
  problem: problems.full_name,
  isFirst: Object.keys(problems).length === 0,
})}
${field(language, {
  name: 'email',
  label: t('Email address'),
  type: 'email',
  autocomplete: 'username',
  value: address ?? of.email,
  isReadOnly: isKnown,
  hint: t('You log in with it.'),
  problem: problems.email,
})}
${field(language, {
  name: 'password',
  label: t('Password'),
  type: 'password',
  autocomplete: 'new-password',
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  hint: t('At least {minimum} characters. Several unrelated words make a good password.', {
    minimum: PASSWORD_LENGTH.minimum,
  }),
  problem: problems.password,
})}`,
  });
  return joiningPage(of, content, true);
}

function joiningPage(
  { view, invitation, problems = {}, otherWays }: JoiningPage,
  form: Html,
  hasScript: boolean,
): PageAnswer {
  const { organization, language } = view;
  const { t } = language;
  const { directory } = organization;
  const { name } = directory.organization;
  const isRefused = Object.keys(problems).length > 0;
  const inviter = invitation === undefined ? undefined : directory.user(invitation.inviter_id);
  const logIn = richIn(language)(
    'Do you have an account? <link>Log in</link>',
    {},
    {
      link: (inner) => html`<a href="/login/">${inner}</a>`,
    },
  );
  const content = html`
${errorSummary(language, problems)}
<p>${inviter !== undefined && `${t('{inviter} has invited you.', { inviter: inviter.fullName })} `}${t('With an account you can read and write here.')}</p>
${form}
${otherWays.map(({ label, url }) => html`<a class="button quiet" href="${url}">${label}</a>`)}
<p class="after">${logIn}</p>`;
  return organizationPage(
    view,
    { heading: t('Join {name}', { name }), isRefused, hasScript, content },
    { ...PRIVATE, ...(isRefused && { status: 400 }) },
  );
}

/**
 * The same text whether the address has an account or not.
 * @param sendsMails whether there is a mail server
 */
export function mailSentPage(
  view: PageView,
  { email, sendsMails }: { readonly email: string; readonly sendsMails: boolean },
): PageAnswer {
  const { t } = view.language;
  const rich = richIn(view.language);
  const sent =
    () => html`<p>${rich('A mail is on its way to <code>{email}</code>. Open the link in it to continue. The link is valid for one day.', { email }, { code })}</p>
<p>${t('If no mail arrives, check your spam folder and the address. The server sends only a few mails a day to an address.')}</p>`;
  const kept =
    () => html`<p>${rich('The server has written a mail to <code>{email}</code>. Open the link in it to continue. The link is valid for one day.', { email }, { code })}</p>
${keptMail(view.language)}`;
  const heading = sendsMails ? t('Look into your mails') : t('Ask for your mail');
  return organizationPage(view, { heading, content: sendsMails ? sent() : kept() }, PRIVATE);
}

/** @param url the organization's URL */
export function welcomePage(view: PageView, url: string, email: string): PageAnswer {
  const { t } = view.language;
  const { name } = view.organization.directory.organization;
  const rich = richIn(view.language);
  const content = html`
<p>${rich('You have an account now, with the address <code>{email}</code>, and are logged in.', { email }, { code })}</p>
<a class="button" href="/">${t('Open Heddle')}</a>
<h2>${t('With an app')}</h2>
<p>${t('Give the app this address as that of your organization, and log in with your email address and password:')}</p>
<p><code>${url}</code></p>`;
  return organizationPage(view, { heading: t('Welcome to {name}', { name }), content }, PRIVATE);
}

/**
 * The page that says why this link does not work, and what to do.
 * @param isOpen the organization requires no invitation
 */
export function closedPage(view: PageView, why: Closed, isOpen: boolean): PageAnswer {
  const { t } = view.language;
  const { heading, text, status } = CLOSED[why];
  const content = html`
<p role="alert">${t(text)}</p>
${
  isOpen &&
  why !== 'confirmation-used' &&
  html`<p>${t('You need no invitation here.')}</p>
<a class="button" href="/register/">${t('Sign up without one')}</a>`
}
<a class="button quiet" href="/login/">${t('Log in')}</a>`;
  return organizationPage(view, { heading: t(heading), isRefused: true, content }, { ...PRIVATE, status });
}

interface ClosedText {
  readonly heading: Message;
  readonly text: Message;
  readonly status: 403 | 404 | 410;
}

const CLOSED: Readonly<Record<Closed, ClosedText>> = {
  unknown: {
    heading: msg('There is no such invitation'),
    text: msg('The link may be incomplete or too old. Copy the whole link, or ask for a new one.'),
    status: 404,
  },
  expired: {
    heading: msg('This invitation has expired'),
    text: msg('Ask the person who invited you for a new one.'),
    status: 410,
  },
  revoked: {
    heading: msg('This invitation has been revoked'),
    text: msg('Ask the person who invited you whether you can still join.'),
    status: 410,
  },
  used: {
    heading: msg('This invitation has been used'),
    text: msg('An invitation works for one person, and someone has signed up with it.'),
    status: 410,
  },
  'invited-only': {
    heading: msg('You need an invitation'),
    text: msg('You need an invitation to create an account. Ask a member of the organization to invite you.'),
    status: 403,
  },
  'confirmation-used': {
    heading: msg('This link has been used'),
    text: msg('There is already an account with your address.'),
    status: 410,
  },
  'confirmation-expired': {
    heading: msg('This link is too old'),
    text: msg('The link worked for one day. Open your invitation again to get a new mail.'),
    status: 410,
  },
};
