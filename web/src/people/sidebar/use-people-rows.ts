import { getSubscribers } from '@heddle/client/calls/operations.ts';
import type { Subscribable } from '@heddle/client/model/changes.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useEffect, useMemo } from 'react';
import { useApp } from '../../base/app.tsx';
import { useDerived } from '../../base/use-derived.ts';
import { minuteChanges } from '../../base/use-minute.ts';
import type { Current } from '../../shown/current.ts';
import { everyoneOf, foundPeople, PeopleList, type PeopleRows } from './people-list.ts';

/** In large organizations presences change all the time. The list follows them at most this often, in milliseconds. */
const REFRESH_EVERY_MS = 1_000;

/** The rows of the list of people for what the app shows. */
export function usePeopleRows(current: Current, query: string): PeopleRows {
  const { model } = useApp();
  const members = useMembers(current);
  const names = useMemo(() => namesOf(model), [model]);
  const everyone = useDerived([model.mutedUsers.changes, names], () => everyoneOf(model), [model]);
  const list = useMemo(() => new PeopleList(everyone, members), [everyone, members]);
  const presences = useMemo(() => delayed(model.presence.changes, REFRESH_EVERY_MS), [model]);
  return useDerived([presences, minuteChanges], () => {
    const now = Date.now() / 1000;
    return query === '' ? list.rows(model, now) : foundPeople(model, query, now);
  }, [list, model, query]);
}

/** Changes when the order by name does, and not with other changes of users. */
function namesOf({ users }: Model): Subscribable {
  let order = users.activeByName;
  let version = 0;
  return {
    subscribe: users.changes.subscribe,
    read() {
      if (order !== users.activeByName) {
        order = users.activeByName;
        version += 1;
      }
      return version;
    },
  };
}

/** Changes after each change of the subject, but only once per `everyMs`. */
function delayed(changes: Subscribable, everyMs: number): Subscribable {
  let version = 0;
  return {
    subscribe(listener) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = changes.subscribe(() => {
        timer ??= setTimeout(() => {
          timer = undefined;
          version += 1;
          listener();
        }, everyMs);
      });
      return () => {
        end();
        clearTimeout(timer);
      };
    },
    read: () => version,
  };
}

/** The members of the open channel or direct conversation. Undefined elsewhere. A new set after each change. */
function useMembers({ channelId, place }: Current): ReadonlySet<number> | undefined {
  const { model, connection } = useApp();
  const subjects = useMemo(
    () => (channelId === undefined ? [] : [model.channels.changesOf.of(channelId)]),
    [model, channelId],
  );
  const known = channelId === undefined ? undefined : model.channels.subscribersOf(channelId);
  const canComplete = known?.isComplete === false && !model.account.isSpectator;
  useEffect(() => {
    if (!canComplete || channelId === undefined) return;
    let isOver = false;
    getSubscribers(connection, { stream_id: channelId }).then(
      ({ subscribers }) => isOver || model.channels.setSubscribers(channelId, subscribers),
      // Without the list the known members stay. The server can refuse it for channels that the user cannot read.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [canComplete, channelId, connection, model]);
  const userIds = place?.kind === 'direct' ? place.userIds : undefined;
  return useDerived(subjects, () => {
    if (channelId !== undefined) return new Set(model.channels.subscribersOf(channelId).ids);
    return userIds === undefined ? undefined : new Set([...userIds, model.ownId]);
  }, [model, channelId, userIds]);
}
