/** What people see who open an invitation link. */
import type { Organization } from '../../directory/organization.ts';
import { type PageAnswer, page } from '../../http/answers.ts';
import { errorSummary, field, form, type Problems } from '../../pages/forms.ts';
import { type Html, html } from '../../pages/html.ts';
import { layout } from '../../pages/layout.ts';
import { PASSWORD_LENGTH } from '../authentication/actions.ts';
import type { Found } from './accepting.ts';
import type { Invitation } from './rows.ts';

/** What is in the address of these pages lets people in: no cache keeps them. */
const PRIVATE = { cacheControl: 'no-store' } as const;

export interface SignupPage {
  readonly organization: Organization;
  readonly invitation: Invitation;
  /** The path that the form is sent to. */
  readonly action: string;
  readonly csrfToken: string;
  readonly fullName?: string;
  readonly email?: string;
  readonly problems?: Problems;
  /** Ways to come without a password of one's own, by the address of each. */
  readonly otherWays: readonly { readonly label: string; readonly url: string }[];
}

export function signupPage(of: SignupPage): PageAnswer {
  const { organization, invitation, action, csrfToken, problems = {} } = of;
  const { directory } = organization;
  const { name } = directory.organization;
  const isRefused = Object.keys(problems).length > 0;
  const inviter = directory.user(invitation.inviter_id);
  const isByMail = invitation.email !== null;
  const content = html`
${errorSummary(problems)}
<p>${inviter?.fullName ?? 'Somebody'} has invited you. With an account you can read and write here.</p>
${form({
  action,
  csrfToken,
  submit: 'Sign up',
  content: html`
${field({
  name: 'full_name',
  label: 'Full name',
  autocomplete: 'name',
  hint: 'As others are to see you.',
  value: of.fullName,
  maxLength: 100,
  problem: problems.full_name,
})}
${field({
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  value: invitation.email ?? of.email,
  isReadOnly: isByMail,
  hint: isByMail ? 'The invitation was sent there.' : 'You log in with it.',
  problem: problems.email,
})}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  minLength: PASSWORD_LENGTH.minimum,
  maxLength: PASSWORD_LENGTH.maximum,
  hint: `At least ${PASSWORD_LENGTH.minimum} characters. Several words that have nothing to do with each other are a good one.`,
  problem: problems.password,
})}`,
})}
${of.otherWays.map(({ label, url }) => html`<a class="button quiet" href="${url}">${label}</a>`)}`;
  const heading = `Join ${name}`;
  return page(layout({ heading, organization: name, isRefused, content }), {
    ...PRIVATE,
    ...(isRefused && { status: 400 }),
  });
}

/** @param url where the organization lives */
export function welcomePage({ directory }: Organization, url: string, email: string): PageAnswer {
  const { name } = directory.organization;
  const content = html`
<p>You have an account now, with the address <code>${email}</code>, and are <a href="/accounts/sessions/">logged in</a> in this browser.</p>
<h2>With an app</h2>
<p>Give the app this address as that of your organization, and log in with your email address and password:</p>
<p><code>${url}</code></p>`;
  return page(layout({ heading: `Welcome to ${name}`, organization: name, content }), PRIVATE);
}

/** Why the link does not let anybody in, and what to do about it. */
export function closedPage({ directory }: Organization, found: Exclude<Found, { is: 'open' }>): PageAnswer {
  const { name } = directory.organization;
  const { heading, text } = CLOSED[found.is];
  const isKnown = found.is !== 'unknown' && found.is !== 'elsewhere';
  const content = html`<p role="alert">${text}</p>${isKnown && hasAccount}`;
  return page(layout({ heading, organization: name, isRefused: true, content }), {
    ...PRIVATE,
    status: isKnown ? 410 : 404,
  });
}

const hasAccount: Html = html`<p>If you have an account, you can <a href="/login/">log in</a>.</p>`;

const CLOSED = {
  unknown: {
    heading: 'There is no such invitation',
    text: 'Part of the link may be missing. Open it as it was given to you, or ask for another one.',
  },
  elsewhere: {
    heading: 'This invitation is for another organization',
    text: 'Open the link with the address that it was given to you with.',
  },
  expired: { heading: 'This invitation has expired', text: 'Ask whoever invited you for another one.' },
  revoked: {
    heading: 'This invitation has been revoked',
    text: 'Ask whoever invited you whether you may come all the same.',
  },
  used: {
    heading: 'This invitation has been used',
    text: 'Somebody has signed up with it, and it is good for one person.',
  },
} as const;
