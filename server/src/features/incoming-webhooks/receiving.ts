/** One request of another service: verify it, render it, and send the message. */
import type { Answer, Parameters } from '@heddle/api/contract.ts';
import type { receiveWebhook } from '@heddle/api/endpoints/incoming-webhooks.ts';
import { ApiError, badRequest, serviceUnavailable } from '@heddle/api/errors.ts';
import { accountOf } from '../../access/bots.ts';
import { ConcurrencyLimiter } from '../../concurrency-limiter.ts';
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import { MessageActions } from '../../domain/sending/sending/actions.ts';
import type { Address } from '../../domain/sending/sending/recipients.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { ExternalAddress } from '../../extension/external-address.ts';
import { withoutTurns } from '../../http/bodies/directions.ts';
import type { ProtocolRequest } from '../../http/requests/route.ts';
import { neededIntegration } from './all-integrations.ts';
import { bytesOf, payloadOf } from './body.ts';
import { isWanted } from './filters.ts';
import {
  ASKS_FOR_BOT,
  type Header,
  type Integration,
  type Outcome,
  type Rendered,
  UnknownEventError,
} from './integration.ts';
import { cut, truncated } from './markdown.ts';
import { OwnerNotices } from './owner-notices.ts';

/** Requests of one owner's bots at the same time. Each holds its body in memory. */
const MAX_REQUESTS_PER_OWNER = 2;
const MAX_WAITING_REQUESTS_PER_OWNER = 30;
/** Requests that are rendered at the same time in this process. Their bodies have arrived, so slow bodies do not delay others. */
const MAX_CONCURRENT_REQUESTS = 8;
const MAX_WAITING_REQUESTS = 300;
/** Bytes of the bodies that wait to be rendered. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** The longest name of a client that messages have. */
const MAX_CLIENT_LENGTH = 30;

/** Of an event or a topic. Topics have 60 characters. */
const MAX_NAME_LENGTH = 500;

export interface Received {
  readonly organization: Organization;
  readonly caller: UserRecord;
  readonly parameters: Parameters<typeof receiveWebhook>;
  readonly body: ProtocolRequest;
}

export class WebhookReceiver {
  readonly #address: ExternalAddress;
  readonly #messages: MessageActions;
  readonly #notices: OwnerNotices;
  readonly #ofOwner = new ConcurrencyLimiter({
    atOnce: MAX_REQUESTS_PER_OWNER,
    maxWaiting: MAX_WAITING_REQUESTS_PER_OWNER,
    refusal,
  });
  readonly #all = new ConcurrencyLimiter({
    atOnce: MAX_CONCURRENT_REQUESTS,
    maxWaiting: MAX_WAITING_REQUESTS,
    maxWaitingWeight: MAX_WAITING_BYTES,
    refusal,
  });

  constructor(app: AppContext) {
    this.#address = app.address;
    this.#messages = new MessageActions(app);
    this.#notices = new OwnerNotices(app);
  }

  /**
   * Sends the message that the request causes, if any. The owner of the bot learns why it causes none, unless that is on purpose.
   * @returns what the service asked for
   * @throws ApiError if the request is unknown, malformed or not signed, or if the bot may not send the message
   */
  async receive(received: Received): Promise<Answer<typeof receiveWebhook>> {
    const { organization, caller, parameters } = received;
    const integration = neededIntegration(parameters.integration);
    if (parameters.webhook_secret !== undefined && integration.isSigned === undefined) {
      throw badRequest(`${integration.title} does not sign its requests. Remove webhook_secret from the URL`);
    }
    // A request without a token would have the same one.
    if (parameters.webhook_secret === '') throw badRequest('webhook_secret must not be empty');
    const owner = `${organization.id} ${accountOf(caller)}`;
    const outcome = await this.#ofOwner.run(owner, async () => {
      const bytes = await bytesOf(received.body);
      const url = `${this.#address.of(organization.directory.organization.subdomain)}${received.body.url}`;
      return this.#all.run('all', () => render(integration, received, bytes, url), bytes.length);
    });
    if (outcome instanceof ApiError) {
      if (outcome instanceof UnknownEventError && !passes(outcome.event, parameters)) return {};
      await this.#notices.unknownPayload(organization, caller, { integration, error: outcome });
      throw outcome;
    }
    if (outcome === ASKS_FOR_BOT) return { full_name: caller.fullName, email: caller.email, id: caller.id };
    if (!isMessage(outcome, parameters)) return {};
    try {
      await this.#send(integration, { ...received, parameters: placeOf(integration, parameters) }, outcome);
      return {};
    } catch (error) {
      await this.#notices.cannotPost(organization, caller, {
        integration,
        error,
        channel: placeOf(integration, parameters).stream,
      });
      throw error;
    }
  }

  async #send(
    { title }: Integration,
    { organization, caller, parameters }: Received,
    rendered: Rendered,
  ): Promise<void> {
    const { topic, content } = rendered;
    await this.#messages.send(organization, caller, {
      address: addressOf(caller, parameters, topic === '' ? title : topic),
      content: truncated(content.toString().replace(/^\s*(?=\/)/, '\u200b')),
      client: `Zulip${title.replaceAll(/\W/g, '')}`.slice(0, MAX_CLIENT_LENGTH - 'Webhook'.length).concat('Webhook'),
      readBySender: false,
      echo: null,
    });
  }
}

function refusal() {
  return serviceUnavailable('Too many requests of webhooks at once; please try again');
}

/** @returns an error if the integration does not know what it got */
async function render(
  integration: Integration,
  { parameters, body }: Received,
  bytes: Buffer,
  url: string,
): Promise<Outcome | ApiError> {
  const header: Header = (name) => {
    const value = body.headers[name];
    return typeof value === 'string' ? value : (value?.join(',') ?? '');
  };
  const { webhook_secret: secret } = parameters;
  if (secret !== undefined && !integration.isSigned?.({ header, body: bytes, url, secret, now: Date.now() })) {
    throw badRequest('Webhook signature verification failed.');
  }
  try {
    const payload = await payloadOf(bytes, body.contentType);
    return integration.render({ payload, header, parameters });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'BAD_REQUEST') return error;
    throw error;
  }
}

/** Whether the filters of the URL let the message through. */
function isMessage(outcome: Outcome, parameters: Received['parameters']): outcome is Rendered {
  return typeof outcome !== 'string' && !('ignored' in outcome) && passes(outcome.event, parameters);
}

function passes(event: string, { only_events: only, exclude_events: exclude }: Received['parameters']): boolean {
  return isWanted(cut(event, MAX_NAME_LENGTH), only, exclude);
}

/** The parameters with the channel and the topic as the user wrote them. */
function placeOf({ escapesTwice }: Integration, parameters: Received['parameters']): Received['parameters'] {
  if (escapesTwice !== true) return parameters;
  const { stream: channel, topic } = parameters;
  return {
    ...parameters,
    ...(channel !== undefined && { stream: unescaped(channel) }),
    ...(topic !== undefined && { topic: unescaped(topic) }),
  };
}

/** A name that has a percent sign of its own stays. */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Without a channel, the message goes to the owner of the bot. */
function addressOf(caller: UserRecord, { stream: channel, topic }: Received['parameters'], rendered: string): Address {
  if (channel === undefined || channel.trim() === '') return { kind: 'direct', users: [accountOf(caller)] };
  return {
    kind: 'channel',
    channel: /^\d{1,15}$/.test(channel) ? Number(channel) : channel.trim(),
    topic: topic ?? validTopic(rendered),
  };
}

/** Payloads can contain long texts, and characters that topics cannot. */
function validTopic(rendered: string): string {
  return withoutTurns(cut(rendered, MAX_NAME_LENGTH)).replaceAll(/[\p{Cc}\p{Cs}\p{Cn}\s]+/gu, ' ');
}
