/** Users, channels and groups with their ids on this server. */
import type { NeutralChannel, NeutralGroup, NeutralUser } from './neutral.ts';

export interface ConvertedUser extends Omit<NeutralUser, 'email'> {
  readonly id: number;
  readonly email: string;
}

export interface ConvertedChannel extends NeutralChannel {
  readonly id: number;
}

export interface ConvertedGroup extends NeutralGroup {
  readonly id: number;
}

export interface People {
  readonly users: ReadonlyMap<string, ConvertedUser>;
  readonly channels: ReadonlyMap<string, ConvertedChannel>;
  readonly groups: ReadonlyMap<string, ConvertedGroup>;
  /** Ids of the system groups by the keys of the archive. */
  readonly systemGroups: ReadonlyMap<string, number>;
  /** The ids of the users of each channel, by the id of the channel. */
  readonly members: ReadonlyMap<number, ReadonlySet<number>>;
}
