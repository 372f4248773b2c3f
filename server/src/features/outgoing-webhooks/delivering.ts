/** Sends requests to services, many at once, and sends their replies. */
import { isUnavailable } from '../../db/failures.ts';
import type { BotService } from '../../directory/records.ts';
import { serviceTokenFor } from '../../domain/credentials/api-keys.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { defaultLimitRules } from '../../http/limits/limits.ts';
import { WorkerLoop } from '../../jobs/worker-loop.ts';
import { failureOf, NO_DIRECT_MESSAGES, NO_URL, type Outcome, outcomeOf, refusal } from './answers.ts';
import { messageToTell } from './message.ts';
import { postingOf } from './payloads.ts';
import { PostError, type Poster } from './post.ts';
import { Replies, type Spoken } from './replies.ts';
import { type Ended, MAX_REQUESTS_PER_BOT, type Slot, Slots } from './slots.ts';
import { servedBots } from './triggers.ts';
import {
  type Claimed,
  claim,
  end,
  giveBack,
  lookForDue,
  MAX_ATTEMPTS,
  MAX_STARTS,
  putOff,
  type Waiting,
} from './waiting.ts';

/** The time for everything besides the request itself, in seconds. A claim must not expire meanwhile. */
const CLAIM_MARGIN_SECONDS = 10;

export class Deliveries {
  readonly #app: AppContext;
  readonly #poster: Poster;
  readonly #replies: Replies;
  readonly #slots: Slots;
  readonly #stopping = new AbortController();
  readonly #loop: WorkerLoop;

  constructor(app: AppContext, poster: Poster) {
    this.#app = app;
    this.#poster = poster;
    this.#replies = new Replies(app);
    // Replies of services have the same rate limit as messages that bots send themselves.
    this.#slots = new Slots(app.config.rateLimits ? defaultLimitRules.bots : undefined);
    this.#loop = new WorkerLoop({ name: 'outgoing webhooks', log: app.log, look: () => this.#beginDue() });
  }

  async start(): Promise<void> {
    this.#loop.start();
  }

  /** Something may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when nothing is due and nothing runs. */
  async settled(): Promise<void> {
    await this.#loop.settled();
  }

  /** Starts nothing more. Running requests get this time; the others are given back. */
  async stop(withinMilliseconds: number): Promise<void> {
    const giveUp = setTimeout(() => this.#stopping.abort(), withinMilliseconds);
    await this.#loop.stop();
    clearTimeout(giveUp);
  }

  /** Starts due requests as far as there are slots. Each request that ends looks again. */
  async #beginDue(): Promise<boolean> {
    const { db, config } = this.#app;
    const placed = new Map<string, { readonly waiting: Waiting; readonly slot: Slot }>();
    try {
      for (const waiting of await lookForDue(db, MAX_REQUESTS_PER_BOT)) {
        const slot = await this.#slotOf(waiting);
        if (this.#slots.acquire(slot)) placed.set(keyOf(waiting), { waiting, slot });
      }
      const due = [...placed.values()].map(({ waiting }) => waiting);
      for (const claimed of await claim(db, due, config.outgoingTimeoutSeconds + CLAIM_MARGIN_SECONDS)) {
        const slot = placed.get(keyOf(claimed))?.slot;
        placed.delete(keyOf(claimed));
        if (slot !== undefined) this.#begin(claimed, slot);
      }
    } finally {
      // Another process was faster, or the database is unavailable.
      for (const { slot } of placed.values()) this.#slots.release(slot, 'unknown');
    }
    return false;
  }

  async #slotOf({ organization_id: organizationId, bot_id: botId }: Waiting): Promise<Slot> {
    const organization = await this.#app.organizations.byId(organizationId);
    return { organizationId, botId, ownerId: organization?.directory.user(botId)?.botOwnerId ?? 0 };
  }

  #begin(claimed: Claimed, slot: Slot): void {
    this.#loop.begin(this.#deliver(claimed).then((ended) => this.#slots.release(slot, ended)));
  }

  /** Never rejects. What could not be ended is retried when its claim expires. */
  async #deliver(claimed: Claimed): Promise<Ended> {
    try {
      return await this.#tell(claimed);
    } catch (error) {
      const facts = { err: error, organization: claimed.organization_id, bot: claimed.bot_id };
      // The health check of the database logs an outage once for all (`db/health-check.ts`).
      this.#app.log[isUnavailable(error) ? 'debug' : 'error'](facts, 'an outgoing webhook could not be ended');
      return 'unknown';
    }
  }

  async #tell(claimed: Claimed): Promise<Ended> {
    const found = await this.#lookUp(claimed);
    const isHopeless = claimed.attempts > MAX_STARTS;
    if (isHopeless) this.#app.log.error({ ...claimed }, 'an outgoing webhook was begun often and never ended');
    if (found === undefined || isHopeless) {
      await end(this.#app.db, claimed);
      return 'unknown';
    }
    const outcome = await this.#ask(found.spoken, found.service);
    return outcome === undefined ? 'unknown' : this.#conclude(found.spoken, outcome);
  }

  /** Undefined: the service must not be notified any more. */
  async #lookUp(claimed: Claimed): Promise<{ readonly spoken: Spoken; readonly service: BotService } | undefined> {
    const organization = await this.#app.organizations.byId(claimed.organization_id);
    if (organization === undefined) return undefined;
    const bot = servedBots(organization.directory).get(claimed.bot_id);
    const service = bot?.bot?.service;
    if (bot === undefined || service === undefined) return undefined;
    const message = await messageToTell(organization, bot, claimed.message_id);
    return message && { spoken: { organization, bot, claimed, message }, service };
  }

  /** Undefined: this process stops before the response, or the service was not asked. */
  async #ask(spoken: Spoken, service: BotService): Promise<Outcome | undefined> {
    const { organization, bot, claimed, message } = spoken;
    const { secret, address, config, db } = this.#app;
    if (service.url === '') return { failure: NO_URL };
    const posting = postingOf({
      bot,
      service,
      token: serviceTokenFor(secret, organization.id, bot.id, service.tokenVersion ?? 0),
      trigger: claimed.trigger,
      messageId: claimed.message_id,
      message,
      organization: { id: organization.id, host: address.hostOf(organization.directory.organization.subdomain) },
    });
    if (posting === undefined) {
      await this.#replies.failed(spoken, NO_DIRECT_MESSAGES);
      return undefined;
    }
    try {
      return outcomeOf(await this.#poster.post(posting, this.#stopping.signal), service.interface);
    } catch (error) {
      if (!(error instanceof PostError)) throw error;
      if (error.problem !== 'stopped') return { failure: failureOf(error.problem, config.outgoingTimeoutSeconds) };
      await giveBack(db, claimed);
      return undefined;
    }
  }

  async #conclude(spoken: Spoken, outcome: Outcome): Promise<Ended> {
    const { claimed } = spoken;
    if ('reply' in outcome) {
      const { reply } = outcome;
      const refused = reply === undefined ? undefined : await this.#replies.reply(spoken, reply);
      if (reply === undefined) await end(this.#app.db, claimed);
      if (reply !== undefined && refused !== undefined) {
        await this.#replies.failedBy(spoken, refusal(refused.message, reply.content));
      }
      return 'well';
    }
    const { failure } = outcome;
    if (failure.mayPass && claimed.attempts < MAX_ATTEMPTS) {
      await putOff(this.#app.db, claimed);
      return 'failing';
    }
    const facts = { organization: claimed.organization_id, bot: claimed.bot_id, reason: failure.text };
    this.#app.log.info(facts, 'an outgoing webhook has failed');
    await this.#replies.failedBy(spoken, failure);
    return failure.mayPass ? 'failing' : 'well';
  }
}

function keyOf({ organization_id, bot_id, message_id }: Waiting): string {
  return `${organization_id} ${bot_id} ${message_id}`;
}
