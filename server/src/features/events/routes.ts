import { deleteQueue, getEvents, registerQueue } from '@heddle/api/endpoints/events.ts';
import { badEventQueueId, badRequest } from '@heddle/api/errors.ts';
import type { Organization } from '../../directory/organization.ts';
import { Role } from '../../directory/records.ts';
import { HeldAnswer, type HeldRequest, type RawJson, rawJson } from '../../http/route.ts';
import type { AnswerTaker, HeldPoll, PollAnswer } from '../../log/held-poll.ts';
import type { Queue } from '../../log/queue.ts';
import type { StatePart } from '../initial-state.ts';
import { noteActivity } from '../presence/actions.ts';
import { type HeddleRoute, type Rooms, route } from '../rooms.ts';
import { registerInTurn } from './in-turn.ts';
import { queueSettings } from './queue-settings.ts';
import { checkSpectatorMayAsk, spectatorState } from './spectating.ts';

export function eventRoutes(rooms: Rooms, stateParts: readonly StatePart[]): readonly HeddleRoute[] {
  const { queues, pool, presenters } = rooms;

  /** A queue of another epoch is no more: its cursor counts events that a restored backup does not have. */
  async function queueOf({ id, epoch }: Organization, userId: number, queueId: string): Promise<Queue> {
    const queue = queues.inMemory(id, queueId) ?? (await queues.find(id, queueId));
    if (queue === undefined || queue.userId !== userId || queue.epoch !== epoch) throw badEventQueueId(queueId);
    return queue;
  }

  function told(queue: Queue, lastEventId: number, answer: PollAnswer): RawJson {
    // It was being fetched until now, however long that took.
    queues.touch(queue, 0);
    if ('ended' in answer) throw refusal(answer.ended, queue, lastEventId);
    return rawJson(eventsBody(answer.events, queue.id));
  }

  return [
    route(registerQueue, {}, async ({ parameters, organization, caller, client }) => {
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
      const { queue, state } = await registerInTurn(registration);
      noteActivity(rooms, organization, caller);
      return { queue_id: queue.id, last_event_id: queue.start, ...state };
    }),

    route(getEvents, { limit: 'polls' }, async ({ parameters, organization, caller }) => {
      const { queue_id: queueId, dont_block } = parameters;
      const queue = await queueOf(organization, caller.id, queueId);
      const lastEventId = parameters.last_event_id < 0 ? queue.acknowledgedId : parameters.last_event_id;
      if (lastEventId < queue.start) throw badRequest(`Event ${lastEventId} was not in this queue`);
      // A client cannot have acknowledged what is not there yet: the log must go on keeping it.
      queues.touch(queue, Math.min(lastEventId, organization.position));
      const answer = await organization.polls.poll({ queue, lastEventId, block: !dont_block });
      if ('whenAnswered' in answer) return new HeldEvents(queue, lastEventId, answer, told);
      return told(queue, lastEventId, answer);
    }),

    route(deleteQueue, {}, async ({ parameters, organization, caller }) => {
      await queues.remove(await queueOf(organization, caller.id, parameters.queue_id));
      return {};
    }),
  ];
}

/** All that is kept of a request for events while it is held. */
class HeldEvents extends HeldAnswer<RawJson> implements AnswerTaker {
  readonly #queue: Queue;
  readonly #lastEventId: number;
  readonly #poll: HeldPoll;
  readonly #told: (queue: Queue, lastEventId: number, answer: PollAnswer) => RawJson;
  #request: HeldRequest<RawJson> | undefined;

  constructor(
    queue: Queue,
    lastEventId: number,
    poll: HeldPoll,
    told: (queue: Queue, lastEventId: number, answer: PollAnswer) => RawJson,
  ) {
    super();
    this.#queue = queue;
    this.#lastEventId = lastEventId;
    this.#poll = poll;
    this.#told = told;
  }

  override begin(request: HeldRequest<RawJson>): void {
    this.#request = request;
    this.#poll.whenAnswered(this);
  }

  take(answer: PollAnswer): void {
    this.#request?.settle(() => this.#told(this.#queue, this.#lastEventId, answer));
  }

  override hungUp(): void {
    this.#poll.giveUp();
  }
}

const OPENING = Buffer.from('{"result":"success","msg":"","events":[');
const COMMA = 0x2c;

/** Thousands of clients get the same events: their bytes are copied together and never parsed or encoded again. */
function eventsBody(events: readonly Buffer[], queueId: string): Buffer {
  const closing = `],"queue_id":${JSON.stringify(queueId)}}`;
  let length = OPENING.length + closing.length + Math.max(0, events.length - 1);
  for (const event of events) length += event.length;
  const body = Buffer.allocUnsafe(length);
  let at = OPENING.copy(body);
  for (const event of events) {
    if (at > OPENING.length) at = body.writeUInt8(COMMA, at);
    at += event.copy(body, at);
  }
  // A queue's id is ours, and ASCII.
  body.write(closing, at, 'latin1');
  return body;
}

function refusal(ended: 'gone' | 'future' | 'pruned', { id, acknowledgedId }: Queue, lastEventId: number): Error {
  switch (ended) {
    // A client that knows later events than there are knows them from another epoch: it must begin anew, and not ask for ever.
    case 'gone':
    case 'future':
      return badEventQueueId(id);
    case 'pruned':
      // It was so far behind that its events are not kept any longer, or it asks again for what it has said that it has.
      return lastEventId >= acknowledgedId
        ? badEventQueueId(id)
        : badRequest(`The events after ${lastEventId} were acknowledged and are no longer kept`);
  }
}
