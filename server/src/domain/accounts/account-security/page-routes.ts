import * as endpoints from '@heddle/api/endpoints/account-pages.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { isMailable } from '../../../mail/mail.ts';
import { knownOf, passwordProblem } from '../../credentials/passwords.ts';
import { addressOfLink, confirmAddress } from './address.ts';
import * as pages from './pages.ts';
import { requestReset, resetPassword, userOfReset } from './reset.ts';

/** Guesses of links count toward the limit of requests without credentials. */
export function accountPageRoutes(app: AppContext): readonly HeddleRoute[] {
  const sendsMails = app.config.smtpUrl !== null;
  return [
    route(endpoints.getResetPage, {}, ({ organization, cookies: { csrfToken } }) =>
      pages.askForResetPage(organization, { csrfToken, sendsMails }),
    ),

    route(endpoints.requestReset, {}, async ({ organization, parameters: { email }, cookies, remoteAddress }) => {
      if (!isMailable(email.trim())) {
        const problems = { email: 'Enter a valid email address.' };
        return pages.askForResetPage(organization, { csrfToken: cookies.csrfToken, email, sendsMails, problems });
      }
      await requestReset(app, organization, { email, remoteAddress });
      return pages.resetAskedPage(organization, sendsMails);
    }),

    route(endpoints.getNewPasswordPage, {}, async ({ organization, parameters: { key }, cookies }) => {
      const user = await userOfReset(app, organization, key);
      if (user === undefined) return pages.endedLinkPage(organization);
      const { csrfToken } = cookies;
      return pages.newPasswordPage(organization, { csrfToken, action: resetAction(key), address: user.deliveryEmail });
    }),

    route(endpoints.setNewPassword, {}, async ({ organization, parameters: { key, password }, cookies }) => {
      const user = await userOfReset(app, organization, key);
      if (user === undefined) return pages.endedLinkPage(organization);
      const { fullName, deliveryEmail } = user;
      const weakness = passwordProblem(password, knownOf(organization, { fullName, email: deliveryEmail }));
      if (weakness !== undefined) {
        const { csrfToken } = cookies;
        const address = user.deliveryEmail;
        const problems = { password: weakness };
        return pages.newPasswordPage(organization, { csrfToken, action: resetAction(key), address, problems });
      }
      const isSet = await resetPassword(app, organization, { key, user, password });
      return isSet ? pages.passwordSetPage(organization) : pages.endedLinkPage(organization);
    }),

    route(endpoints.getConfirmAddressPage, {}, async ({ organization, parameters: { key }, cookies }) => {
      const address = await addressOfLink(app, organization, key);
      if (address === undefined) return pages.endedLinkPage(organization);
      const action = `/accounts/confirm_new_email/${encodeURIComponent(key)}`;
      return pages.confirmAddressPage(organization, { csrfToken: cookies.csrfToken, action, address });
    }),

    route(endpoints.confirmAddress, {}, async ({ organization, parameters: { key } }) => {
      const confirmed = await confirmAddress(app, organization, key);
      if (confirmed.is === 'ended') return pages.endedLinkPage(organization);
      if (confirmed.is === 'refused') return pages.addressRefusedPage(organization, confirmed.why);
      return pages.addressConfirmedPage(organization, confirmed.address);
    }),
  ];
}

function resetAction(key: string): string {
  return `/accounts/password/reset/${encodeURIComponent(key)}/`;
}
