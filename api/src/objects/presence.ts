import Type from 'typebox';

const time = Type.Integer({ description: 'Seconds since the epoch' });

/** The time of the last activity, and the time of the last report of any client. */
export const modernPresence = Type.Object({ active_timestamp: time, idle_timestamp: time });

const status = Type.Union([Type.Literal('active'), Type.Literal('idle')]);

/** The format for older clients: the newest report, as if it came from one client. */
export const clientPresence = Type.Object({
  client: Type.String(),
  status,
  timestamp: time,
  pushable: Type.Boolean(),
});

const legacyPresence = Type.Object({
  aggregated: Type.Object({ client: Type.String(), status, timestamp: time }),
  website: clientPresence,
});

export const modernPresences = Type.Record(Type.String(), modernPresence, { description: 'Keys are user IDs' });
export const legacyPresences = Type.Record(Type.String(), legacyPresence, { description: 'Keys are API addresses' });

const anyStatus = Type.Union([status, Type.Literal('offline')]);

/** The presence of one user, by client. */
export const presenceOfUser = Type.Object({
  aggregated: Type.Object({ status: anyStatus, timestamp: time }),
  website: Type.Object({ status, timestamp: time }),
});
