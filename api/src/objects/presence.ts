import Type from 'typebox';

const time = Type.Integer({ description: 'Seconds since the epoch' });

/** When somebody last did something, and when a client of theirs last reported at all. */
export const modernPresence = Type.Object({ active_timestamp: time, idle_timestamp: time });

const status = Type.Union([Type.Literal('active'), Type.Literal('idle')]);

/** What older clients get: the newest report, as that of one client. */
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

export const modernPresences = Type.Record(Type.String(), modernPresence, { description: 'By user id' });
export const legacyPresences = Type.Record(Type.String(), legacyPresence, { description: 'By API address' });

const anyStatus = Type.Union([status, Type.Literal('offline')]);

/** One person's, by client. */
export const presenceOfUser = Type.Object({
  aggregated: Type.Object({ status: anyStatus, timestamp: time }),
  website: Type.Object({ status, timestamp: time }),
});
