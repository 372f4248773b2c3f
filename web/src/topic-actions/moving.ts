import { isApiError } from '@heddle/client/calls/errors.ts';
import { updateMessage } from '@heddle/client/calls/operations.ts';
import {
  isSamePlace,
  resolvedName,
  type TopicPlace,
  topicPlace,
  unresolvedName,
} from '@heddle/client/model/messages/places.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { all, type PermissionResult, refused } from '@heddle/client/model/permissions/permission-result.ts';
import { useState } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { followMove } from '../compose/following.ts';
import { routeOfPlace } from '../shown/names.ts';
import { problemText } from '../shown/problem-text.ts';
import { messageIdOf } from './topic-messages.ts';

/** Which messages move: one, one and all later ones, or all of the topic. */
export type Scope = 'one' | 'later' | 'all';

const MODES = { one: 'change_one', later: 'change_later', all: 'change_all' } as const;

/** Whether the user may move messages from one topic to the other. Their age is not considered. */
export function permissionOf({ permissions, channels }: Model, from: TopicPlace, to: TopicPlace): PermissionResult {
  const [source, target] = [channels.get(from.channelId), channels.get(to.channelId)];
  if (source === undefined || target === undefined) return refused('hidden');
  const topic = changeOf(from.topic, to.topic);
  return all(
    () => permissions.messages.move({ from: source, to: target, topic }),
    () => permissions.channels.topic(target, to.topic),
  );
}

function changeOf(before: string, after: string): 'kept' | 'renamed' | 'resolved' {
  if (before === after) return 'kept';
  return unresolvedName(before) === unresolvedName(after) ? 'resolved' : 'renamed';
}

/**
 * The other topic that the messages join, in its own spelling, if the loaded list of the channel has it. Resolved topics count by their
 * name. Messages with another spelling would rename that topic.
 */
export function existingTarget({ cache }: Model, from: TopicPlace, to: TopicPlace): TopicPlace | undefined {
  if (isSamePlace(from, to)) return undefined;
  const others = cache.topics
    .of(to.channelId)
    .map(({ topic }) => topicPlace(to.channelId, topic))
    .filter((place) => !isSamePlace(place, from));
  const resolved = topicPlace(to.channelId, resolvedName(to.topic));
  return others.find((place) => isSamePlace(place, to)) ?? others.find((place) => isSamePlace(place, resolved));
}

interface MoveRequest {
  readonly target: TopicPlace;
  readonly scope: Scope;
  readonly notifiesOld: boolean;
  readonly notifiesNew: boolean;
  /** Moves this message and later ones only, because others are too old. */
  readonly fromId?: number | undefined;
}

/** Why a part of the messages cannot move. */
interface TooOld {
  readonly allowed: number;
  readonly total: number;
  /** The first message that can move. */
  readonly firstId: number | undefined;
}

export interface Move {
  readonly isPending: boolean;
  readonly problem: string | undefined;
  readonly tooOld: TooOld | undefined;
  readonly run: (request: MoveRequest) => Promise<void>;
}

/** Moves messages, and shows where they are then. */
export function useMove(place: TopicPlace, messageId: number | undefined, onDone: () => void): Move {
  const app = useApp();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [tooOld, setTooOld] = useState<TooOld>();
  const run = async ({ target, scope, notifiesOld, notifiesNew, fromId }: MoveRequest) => {
    setPending(true);
    setProblem(undefined);
    setTooOld(undefined);
    try {
      const id = fromId ?? messageId ?? (await messageIdOf(app, place));
      if (id === undefined) throw new Error('the topic has no messages');
      await updateMessage(app.connection, {
        message_id: id,
        propagate_mode: fromId === undefined ? MODES[scope] : 'change_later',
        send_notification_to_old_thread: notifiesOld,
        send_notification_to_new_thread: notifiesNew,
        ...(target.channelId !== place.channelId && { stream_id: target.channelId }),
        ...(target.topic !== place.topic && { topic: target.topic }),
      });
      if (scope === 'all' && fromId === undefined) followMove(app, place, target);
      const show = () => app.navigation.go(routeOfPlace(app.model, target));
      toasts.show({ text: t('Messages moved'), action: { label: t('Show them'), run: show }, key: 'moved' });
      onDone();
    } catch (error) {
      if (isApiError(error, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')) {
        const { fields } = error;
        setTooOld({
          allowed: fields.total_messages_allowed_to_move,
          total: fields.total_messages_in_topic,
          firstId: fields.first_message_id_allowed_to_move ?? undefined,
        });
      } else setProblem(problemText(error));
      setPending(false);
    }
  };
  return { isPending, problem, tooOld, run };
}
