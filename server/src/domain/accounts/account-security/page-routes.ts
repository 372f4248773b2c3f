import * as endpoints from '@heddle/api/endpoints/account-pages.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { isMailable } from '../../../mail/mail.ts';
import { knownOf, passwordProblem } from '../../credentials/passwords.ts';
import { viewFor, viewForAccount } from '../../organizations/organization-pictures/organization-page.ts';
import { addressOfLink, confirmAddress } from './address.ts';
import * as pages from './pages.ts';
import { requestReset, resetPassword, userOfReset } from './reset.ts';

const RESET_PATH = '/accounts/password/reset/';

/** Guesses of links count toward the limit of requests without credentials. */
export function accountPageRoutes(app: AppContext): readonly HeddleRoute[] {
  const sendsMails = app.config.smtpUrl !== null;
  return [
    route(endpoints.getResetPage, {}, (request) =>
      pages.askForResetPage(viewFor(request), { csrfToken: request.cookies.csrfToken, sendsMails }),
    ),

    route(endpoints.requestReset, {}, async (request) => {
      const { organization, parameters, cookies, remoteAddress } = request;
      const { email } = parameters;
      const view = viewFor(request, RESET_PATH);
      if (!isMailable(email.trim())) {
        const problems = { email: view.language.t('Enter a valid email address.') };
        return pages.askForResetPage(view, { csrfToken: cookies.csrfToken, email, sendsMails, problems });
      }
      await requestReset(app, organization, { email, remoteAddress });
      return pages.resetAskedPage(viewFor(request), sendsMails);
    }),

    route(endpoints.getNewPasswordPage, {}, async (request) => {
      const { organization, parameters, cookies } = request;
      const { key } = parameters;
      const user = await userOfReset(app, organization, key);
      if (user === undefined) return pages.endedLinkPage(viewFor(request));
      const { csrfToken } = cookies;
      const view = await viewForAccount(app.db, request, user.id);
      return pages.newPasswordPage(view, { csrfToken, action: resetAction(key), address: user.deliveryEmail });
    }),

    route(endpoints.setNewPassword, {}, async (request) => {
      const { organization, parameters, cookies } = request;
      const { key, password } = parameters;
      const user = await userOfReset(app, organization, key);
      if (user === undefined) return pages.endedLinkPage(viewFor(request));
      const view = await viewForAccount(app.db, request, user.id);
      const { fullName, deliveryEmail } = user;
      const weakness = passwordProblem(
        password,
        knownOf(organization, { fullName, email: deliveryEmail }),
        view.language.t,
      );
      if (weakness !== undefined) {
        const { csrfToken } = cookies;
        const address = user.deliveryEmail;
        const problems = { password: weakness };
        const action = resetAction(key);
        return pages.newPasswordPage({ ...view, path: action }, { csrfToken, action, address, problems });
      }
      const isSet = await resetPassword(app, organization, { key, user, password });
      return isSet ? pages.passwordSetPage(view) : pages.endedLinkPage(view);
    }),

    route(endpoints.getConfirmAddressPage, {}, async (request) => {
      const { organization, parameters, cookies } = request;
      const { key } = parameters;
      const found = await addressOfLink(app, organization, key);
      if (found === undefined) return pages.endedLinkPage(viewFor(request));
      const { address, user } = found;
      const action = `/accounts/confirm_new_email/${encodeURIComponent(key)}`;
      const view = await viewForAccount(app.db, request, user.id);
      return pages.confirmAddressPage(view, { csrfToken: cookies.csrfToken, action, address });
    }),

    route(endpoints.confirmAddress, {}, async (request) => {
      const confirmed = await confirmAddress(app, request.organization, request.parameters.key);
      if (confirmed.is === 'ended') return pages.endedLinkPage(viewFor(request));
      const view = await viewForAccount(app.db, request, confirmed.user.id);
      if (confirmed.is === 'refused') return pages.addressRefusedPage(view, confirmed.why);
      return pages.addressConfirmedPage(view, confirmed.address);
    }),
  ];
}

function resetAction(key: string): string {
  return `/accounts/password/reset/${encodeURIComponent(key)}/`;
}
