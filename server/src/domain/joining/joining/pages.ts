/** The pages for creating an account. */
import type { Organization } from '../../../directory/organization.ts';
import { type PageAnswer, page } from '../../../http/answers/answers.ts';
import { errorSummary, field, form, type Problems } from '../../../pages/forms.ts';
import { type Html, html } from '../../../pages/html.ts';
import { layout } from '../../../pages/layout.ts';
import { PASSWORD_LENGTH } from '../../credentials/passwords.ts';
import { KEPT_MAIL } from '../../texts/shared/kept-mail.ts';
import type { Invitation } from '../invitations/rows.ts';
import type { Closed } from './finding.ts';

/** The URL of these pages gives access, so no cache may store them. */
const PRIVATE = { cacheControl: 'no-store' } as const;

/** Ways to join without a new password. */
export type OtherWays = readonly { readonly label: string; readonly url: string }[];

interface JoiningPage {
  readonly organization: Organization;
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

/** The page that asks for the address first. */
export function addressPage(of: JoiningPage): PageAnswer {
  const { path, csrfToken, email, sendsMails, problems = {} } = of;
  const content = html`
${form({
  action: path,
  csrfToken,
  submit: 'Go on',
  content: field({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'email',
    value: email,
    hint: sendsMails
      ? 'We mail you a link with which you sign up.'
      : 'The operator of the server gives you a link with which you sign up.',
    problem: problems.email,
  }),
})}`;
  return joiningPage(of, content);
}

export interface SignupPage extends JoiningPage {
  readonly fullName?: string;
  /** The confirmed address; undefined: the form asks for it. */
  readonly address: string | undefined;
}

/** The form that makes the account. */
export function signupPage(of: SignupPage): PageAnswer {
  const { path, csrfToken, address, problems = {} } = of;
  const isKnown = address !== undefined;
  const content = form({
    action: path,
    csrfToken,
    submit: 'Sign up',
    content: html`
${field({
  name: 'full_name',
  label: 'Full name',
  autocomplete: 'name',
  hint: 'Others see this name.',
  value: of.fullName,
  maxLength: 100,
  problem: problems.full_name,
})}
${field({
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  value: address ?? of.email,
  isReadOnly: isKnown,
  hint: 'You log in with it.',
  problem: problems.email,
})}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  hint: `At least ${PASSWORD_LENGTH.minimum} characters. Several unrelated words make a good password.`,
  problem: problems.password,
})}`,
  });
  return joiningPage(of, content);
}

function joiningPage({ organization, invitation, problems = {}, otherWays }: JoiningPage, form: Html): PageAnswer {
  const { directory } = organization;
  const { name } = directory.organization;
  const isRefused = Object.keys(problems).length > 0;
  const inviter = invitation === undefined ? undefined : directory.user(invitation.inviter_id);
  const content = html`
${errorSummary(problems)}
<p>${inviter !== undefined && `${inviter.fullName} has invited you. `}With an account you can read and write here.</p>
${form}
${otherWays.map(({ label, url }) => html`<a class="button quiet" href="${url}">${label}</a>`)}
<p class="after">Do you have an account? <a href="/login/">Log in</a></p>`;
  return page(layout({ heading: `Join ${name}`, organization: name, isRefused, content }), {
    ...PRIVATE,
    ...(isRefused && { status: 400 }),
  });
}

/**
 * The same text whether the address has an account or not.
 * @param sendsMails whether there is a mail server
 */
export function mailSentPage(
  { directory }: Organization,
  { email, sendsMails }: { readonly email: string; readonly sendsMails: boolean },
): PageAnswer {
  const { name } = directory.organization;
  const sent = html`<p>A mail is on its way to <code>${email}</code>. Open the link in it to continue. The link is valid for one day.</p>
<p>If no mail arrives, check your spam folder and the address. The server sends only a few mails a day to an address.</p>`;
  const kept = html`<p>The server has written a mail to <code>${email}</code>. Open the link in it to continue. The link is valid for one day.</p>
${KEPT_MAIL}`;
  const heading = sendsMails ? 'Look into your mails' : 'Ask for your mail';
  return page(layout({ heading, organization: name, content: sendsMails ? sent : kept }), PRIVATE);
}

/** @param url the organization's URL */
export function welcomePage({ directory }: Organization, url: string, email: string): PageAnswer {
  const { name } = directory.organization;
  const content = html`
<p>You have an account now, with the address <code>${email}</code>, and are logged in.</p>
<a class="button" href="/">Open Heddle</a>
<h2>With an app</h2>
<p>Give the app this address as that of your organization, and log in with your email address and password:</p>
<p><code>${url}</code></p>`;
  return page(layout({ heading: `Welcome to ${name}`, organization: name, content }), PRIVATE);
}

/**
 * The page that says why this link does not work, and what to do.
 * @param isOpen the organization requires no invitation
 */
export function closedPage({ directory }: Organization, why: Closed, isOpen: boolean): PageAnswer {
  const { name } = directory.organization;
  const { heading, text, status } = CLOSED[why];
  const content = html`
<p role="alert">${text}</p>
${
  isOpen &&
  why !== 'confirmation-used' &&
  html`<p>You need no invitation here.</p>
<a class="button" href="/register/">Sign up without one</a>`
}
<a class="button quiet" href="/login/">Log in</a>`;
  return page(layout({ heading, organization: name, isRefused: true, content }), { ...PRIVATE, status });
}

interface ClosedText {
  readonly heading: string;
  readonly text: string;
  readonly status: 403 | 404 | 410;
}

const CLOSED: Readonly<Record<Closed, ClosedText>> = {
  unknown: {
    heading: 'There is no such invitation',
    text: 'The link may be incomplete or too old. Copy the whole link, or ask for a new one.',
    status: 404,
  },
  elsewhere: {
    heading: 'This invitation is for another organization',
    text: 'Open the link exactly as you received it.',
    status: 404,
  },
  expired: {
    heading: 'This invitation has expired',
    text: 'Ask the person who invited you for a new one.',
    status: 410,
  },
  revoked: {
    heading: 'This invitation has been revoked',
    text: 'Ask the person who invited you whether you can still join.',
    status: 410,
  },
  used: {
    heading: 'This invitation has been used',
    text: 'An invitation works for one person, and someone has signed up with it.',
    status: 410,
  },
  'invited-only': {
    heading: 'You need an invitation',
    text: 'You need an invitation to create an account. Ask a member of the organization to invite you.',
    status: 403,
  },
  'confirmation-used': {
    heading: 'This link has been used',
    text: 'There is already an account with your address.',
    status: 410,
  },
  'confirmation-expired': {
    heading: 'This link is too old',
    text: 'The link worked for one day. Open your invitation again to get a new mail.',
    status: 410,
  },
};
