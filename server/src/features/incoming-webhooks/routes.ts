import {
  checkWebhook,
  getIntegrationSample,
  getIntegrations,
  getIntegrationsPage,
  receiveWebhook,
} from '@heddle/api/endpoints/incoming-webhooks.ts';
import { ApiError } from '@heddle/api/errors.ts';
import { BotType } from '../../directory/records.ts';
import { whoIsLoggedIn } from '../../domain/credentials/sessions.ts';
import { viewFor, viewForAccount } from '../../domain/organizations/organization-pictures/organization-page.ts';
import { apiKeysOf } from '../../domain/users/bots/present.ts';
import { languageOfUser } from '../../domain/users/user-settings/language.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { Language } from '../../languages/language.ts';
import { INTEGRATIONS, integrationNamed, neededIntegration } from './all-integrations.ts';
import { WEBHOOK_BODY } from './body.ts';
import type { Integration } from './integration.ts';
import { integrationsPage } from './page.ts';
import { WebhookReceiver } from './receiving.ts';
import { sampleOf } from './samples.ts';

export function incomingWebhookRoutes(app: AppContext): readonly HeddleRoute[] {
  const receiver = new WebhookReceiver(app);
  return [
    route(receiveWebhook, { body: WEBHOOK_BODY }, async ({ parameters, organization, caller, body }) => {
      const { responseFields } = integrationNamed(parameters.integration) ?? {};
      try {
        const answer = await receiver.receive({ parameters, organization, caller, body });
        return { ...answer, ...responseFields?.() };
      } catch (error) {
        if (responseFields === undefined || !(error instanceof ApiError)) throw error;
        throw new ApiError(error.code, error.message, { ...error.extra, ...responseFields(error.message) });
      }
    }),

    route(checkWebhook, {}, async ({ parameters }) => {
      neededIntegration(parameters.integration);
      return {};
    }),

    route(getIntegrations, {}, async ({ organization, caller }) => {
      const language = await languageOfUser(app.db, organization.id, caller.id);
      return { language: language.tag, integrations: INTEGRATIONS.map((one) => presented(language, one)) };
    }),

    route(getIntegrationSample, {}, async ({ parameters }) => sampleOf(neededIntegration(parameters.integration))),

    route(getIntegrationsPage, {}, async (request) => {
      const { parameters, organization } = request;
      const { id, directory } = organization;
      const user = await whoIsLoggedIn(app, request);
      const view = user === undefined ? viewFor(request) : await viewForAccount(app.db, request, user.id);
      const bots = [...directory.users.values()].filter(
        ({ botType, botOwnerId, isActive }) =>
          user !== undefined && isActive && botType === BotType.incomingWebhook && botOwnerId === user.id,
      );
      const bot = bots.find((one) => String(one.id) === parameters.bot) ?? bots[0];
      return integrationsPage(view, {
        url: app.address.of(directory.organization.subdomain),
        isLoggedIn: user !== undefined,
        bots: bots.map((one) => ({ id: one.id, name: one.fullName, isChosen: one === bot })),
        apiKey: bot === undefined ? undefined : apiKeysOf(app).of(id, bot),
        channel: parameters.stream?.trim() || undefined,
        topic: parameters.topic?.trim() || undefined,
      });
    }),
  ];
}

function presented({ t }: Language, { name, title, gallery, events, ignored, isSigned }: Integration) {
  return {
    name,
    title,
    category: gallery.category,
    summary: t(gallery.summary),
    steps: gallery.steps.map((step) => t(step)),
    template: gallery.template,
    is_signed: isSigned !== undefined,
    events: [...events],
    ignored_events: Object.entries(ignored).map(([event, reason]) => ({ name: event, reason })),
  };
}
