import { getSubscribers } from '@heddle/client/calls/operations.ts';
import { merged } from '@heddle/client/model/merged.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { useEffect, useMemo, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { useChanges } from '../../base/use-changes.ts';
import { useMinute } from '../../base/use-minute.ts';
import type { Current } from '../../shown/current.ts';
import { everyoneOf, foundPeople, PeopleList, type PeopleRows } from './people-list.ts';

/** In large organizations presences change all the time. The list follows them at most this often, in milliseconds. */
const REFRESH_EVERY_MS = 1_000;

/** The rows of the list of people for what the app shows. */
export function usePeopleRows(current: Current, query: string): PeopleRows {
  const { model } = useApp();
  const members = useMembers(current);
  useChanges(model.mutedUsers.changes);
  useChanges(useMemo(() => namesOf(model), [model]));
  const order = model.users.activeByName;
  const muted = model.mutedUsers.all;
  // `order` and `muted` are new values after a change, and the same otherwise.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list reads them from the model.
  const everyone = useMemo(() => everyoneOf(model), [model, order, muted]);
  const list = useMemo(() => new PeopleList(everyone, members), [everyone, members]);
  const refresh = useRefresh(model);
  const minute = useMinute();
  // biome-ignore lint/correctness/useExhaustiveDependencies: presences are read from the model.
  return useMemo(() => {
    const now = Date.now() / 1000;
    return query === '' ? list.rows(model, now) : foundPeople(model, query, now);
  }, [list, model, query, refresh, minute]);
}

/** Changes when the order by name does, and not with other changes of users. */
function namesOf({ users }: Model) {
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

/** A number that changes soon after presences have. */
function useRefresh(model: Model): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = model.presence.changes.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setVersion((before) => before + 1);
      }, REFRESH_EVERY_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [model]);
  return version;
}

/** The members of the open channel or direct conversation. Undefined elsewhere. A new set after each change. */
function useMembers({ channelId, place }: Current): ReadonlySet<number> | undefined {
  const { model, connection } = useApp();
  const subject = useMemo(
    () => (channelId === undefined ? merged() : model.channels.changesOf.of(channelId)),
    [model, channelId],
  );
  useChanges(subject);
  const version = subject.read();
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the set changes in place, and `version` with it.
  return useMemo(() => {
    if (channelId !== undefined) return new Set(model.channels.subscribersOf(channelId).ids);
    return userIds === undefined ? undefined : new Set([...userIds, model.ownId]);
  }, [model, channelId, userIds, version]);
}
