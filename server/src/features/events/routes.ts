import { deleteQueue, getEvents, registerQueue } from '@heddle/api/endpoints/events.ts';
import { badEventQueueId, badRequest, credentialsMissing, unauthorized } from '@heddle/api/errors.ts';
import { activeUser } from '../../directory/active-user.ts';
import type { Organization } from '../../directory/organization.ts';
import { Role, type UserRecord } from '../../directory/records.ts';
import { sessionName, userOfSession } from '../../domain/credentials/sessions.ts';
import { noteActivity } from '../../domain/presence/actions.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import type { StatePart } from '../../extension/initial-state.ts';
import { RawJson, rawJson } from '../../http/answers/raw-json.ts';
import { type ApiRequest, HeldAnswer, type HeldRequest, type RequestOrigin } from '../../http/requests/route.ts';
import type { AnswerTaker, HeldPoll, PollAnswer, PollEnd } from '../../log/held-poll.ts';
import type { Queue } from '../../log/queue.ts';
import { registerInTurn } from './in-turn.ts';
import { queueSettings } from './queue-settings.ts';
import { OtherEpochError, type Registered, type Registration } from './register.ts';
import { checkSpectatorMayAsk, spectatorState } from './spectating.ts';

export function eventRoutes(app: AppContext, stateParts: readonly StatePart[]): readonly HeddleRoute[] {
  const { queues, pool, presenters, organizations } = app;

  /**
   * A queue of another epoch is invalid: its cursor counts events that a restored backup does not have. This process may
   * not know yet that a new epoch has begun, in which the client has registered at another process.
   */
  async function queueOf(known: Organization, userId: number, queueId: string) {
    let found = await presentQueue(known, userId, queueId);
    if (found === undefined) {
      await organizations.confirmPrimary();
      found = await presentQueue(known, userId, queueId);
    }
    if (found === undefined) throw badEventQueueId(queueId);
    return found;
  }

  async function presentQueue(known: Organization, userId: number, queueId: string) {
    const queue = queues.inMemory(known.id, queueId) ?? (await queues.find(known.id, queueId));
    if (queue === undefined || queue.userId !== userId) return undefined;
    const organization = queue.epoch === known.epoch ? known : await organizations.inPresentEpoch(known);
    if (organization === undefined || queue.epoch !== organization.epoch) return undefined;
    return { queue, organization };
  }

  /** Registers in the epoch that the log has now, also if this process does not know it yet. */
  async function registerInPresentEpoch(registration: Registration, askedAt: number): Promise<Registered> {
    try {
      return await registerInTurn(registration, askedAt);
    } catch (error) {
      if (!(error instanceof OtherEpochError)) throw error;
      const organization = await organizations.inPresentEpoch(registration.organization);
      if (organization === undefined) throw error;
      return await registerInTurn({ ...registration, organization }, askedAt);
    }
  }

  function respond(queue: Queue, lastEventId: number, answer: PollAnswer): RawJson {
    // The client was receiving events until now, however long that took.
    queues.touch(queue, 0);
    if ('ended' in answer) throw refusal(answer.ended, queue, lastEventId);
    return rawJson(eventsBody(answer.events, queue.id));
  }

  return [
    route(registerQueue, { carriesSecrets: hasBots }, async (request) => {
      const { parameters, organization, caller, client } = request;
      if (caller === undefined) checkSpectatorMayAsk(organization, parameters);
      else if (parameters.all_public_streams && caller.role === Role.guest)
        throw badRequest('User not authorized for this query');
      const settings = queueSettings(parameters, client, presenters);
      // Some types select state and have no events yet.
      const types = parameters.fetch_event_types ?? parameters.event_types ?? null;
      if (caller === undefined) {
        return { queue_id: null, ...(await spectatorState({ organization, settings, types, stateParts })) };
      }
      const registration = { pool, queues, organization, user: caller, client, settings, types, stateParts };
      const { queue, state } = await registerInPresentEpoch(registration, request.begunAt);
      // It may have waited for seconds.
      if (organization.accessEndedAt >= request.begunAt) {
        await checkAccessStill(app, request, caller).catch(async (error: unknown) => {
          await queues.remove(queue).catch(() => undefined);
          throw error;
        });
      }
      noteActivity(app, organization, caller);
      // The state belongs to this response alone, so its two hundred fields need no copy.
      return Object.assign(state, { queue_id: queue.id, last_event_id: queue.start });
    }),

    route(getEvents, { limit: 'polls', carriesSecrets: hasBotEvent }, async (request) => {
      const { parameters, caller, session } = request;
      const { queue_id: queueId, dont_block } = parameters;
      const { queue, organization } = await queueOf(request.organization, caller.id, queueId);
      const lastEventId = parameters.last_event_id < 0 ? queue.acknowledgedId : parameters.last_event_id;
      if (lastEventId < queue.start) throw badRequest(`Event ${lastEventId} was not in this queue`);
      // A client cannot acknowledge future events: the log must keep those.
      queues.touch(queue, Math.min(lastEventId, organization.position));
      const poll = { queue, lastEventId, block: !dont_block, session: session && sessionName(session) };
      let answer = await organization.polls.poll(poll);
      if ('ended' in answer && answer.ended === 'future') {
        // The events may be missing only here: in a former primary.
        await organizations.confirmPrimary();
        answer = await organization.polls.poll(poll);
      }
      // From here on, the end of its session or key ends the poll. It may have ended before.
      if (organization.accessEndedAt >= request.begunAt) {
        await checkAccessStill(app, request, caller).catch((error) => {
          if ('whenAnswered' in answer) answer.giveUp();
          throw error;
        });
      }
      if ('whenAnswered' in answer) return new HeldEvents(queue, lastEventId, answer, respond);
      return respond(queue, lastEventId, answer);
    }),

    route(deleteQueue, {}, async ({ parameters, organization, caller }) => {
      const { queue } = await queueOf(organization, caller.id, parameters.queue_id);
      await queues.remove(queue);
      return {};
    }),
  ];
}

/** @throws ApiError `UNAUTHORIZED`, `USER_DEACTIVATED`: what the request authenticated with has ended meanwhile */
async function checkAccessStill(
  app: Pick<AppContext, 'db' | 'organizations'>,
  request: RequestOrigin & Pick<ApiRequest<typeof getEvents, Organization, UserRecord>, 'organization' | 'session'>,
  caller: UserRecord,
): Promise<void> {
  const { organization, session } = request;
  if (session !== undefined && (await userOfSession(app, organization.id, session, request)) !== caller.id) {
    throw credentialsMissing();
  }
  const { apiKeyVersion } = activeUser(organization.directory, caller.id);
  if (session === undefined && apiKeyVersion !== caller.apiKeyVersion) throw unauthorized('Invalid API key');
}

/** Whether the initial state contains API keys: those of the bots that the user administers. */
function hasBots(state: object): boolean {
  const bots: unknown = 'realm_bots' in state ? state.realm_bots : [];
  return bots instanceof RawJson ? bots.body !== '[]' : Array.isArray(bots) && bots.length > 0;
}

/** Whether the response contains API keys, which events about bots have. In JSON strings the quotes are escaped, so texts do not match. */
function hasBotEvent(response: object): boolean {
  return (
    !(response instanceof RawJson && Buffer.isBuffer(response.body)) || response.body.includes('"type":"realm_bot"')
  );
}

/** Everything that is kept of a held poll. */
class HeldEvents extends HeldAnswer<RawJson> implements AnswerTaker {
  readonly #queue: Queue;
  readonly #lastEventId: number;
  readonly #poll: HeldPoll;
  readonly #respond: (queue: Queue, lastEventId: number, answer: PollAnswer) => RawJson;
  #request: HeldRequest<RawJson> | undefined;

  constructor(
    queue: Queue,
    lastEventId: number,
    poll: HeldPoll,
    respond: (queue: Queue, lastEventId: number, answer: PollAnswer) => RawJson,
  ) {
    super();
    this.#queue = queue;
    this.#lastEventId = lastEventId;
    this.#poll = poll;
    this.#respond = respond;
  }

  override begin(request: HeldRequest<RawJson>): void {
    this.#request = request;
    this.#poll.whenAnswered(this);
  }

  take(answer: PollAnswer): void {
    this.#request?.settle(() => this.#respond(this.#queue, this.#lastEventId, answer));
  }

  override hungUp(): void {
    this.#poll.giveUp();
  }
}

const OPENING = Buffer.from('{"result":"success","msg":"","events":[');
const COMMA_CODE = 0x2c;

/** Thousands of clients get the same events. So their bytes are copied together and never parsed or encoded again. */
function eventsBody(events: readonly Buffer[], queueId: string): Buffer {
  const closing = `],"queue_id":${JSON.stringify(queueId)}}`;
  let length = OPENING.length + closing.length + Math.max(0, events.length - 1);
  for (const event of events) length += event.length;
  const body = Buffer.allocUnsafe(length);
  let at = OPENING.copy(body);
  for (const event of events) {
    if (at > OPENING.length) at = body.writeUInt8(COMMA_CODE, at);
    at += event.copy(body, at);
  }
  // A queue's id is ours, and ASCII.
  body.write(closing, at, 'latin1');
  return body;
}

function refusal(ended: PollEnd, { id, acknowledgedId }: Queue, lastEventId: number): Error {
  switch (ended) {
    // A client that names future events knows them from another epoch. It must register again, instead of asking for ever.
    case 'gone':
    case 'future':
      return badEventQueueId(id);
    case 'session':
      return credentialsMissing();
    case 'pruned':
      // The client was so far behind that its events are deleted, or it asks again for events that it has acknowledged.
      return lastEventId >= acknowledgedId
        ? badEventQueueId(id)
        : badRequest(`An event newer than ${lastEventId} has already been pruned!`);
  }
}
