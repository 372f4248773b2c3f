import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/route.ts';
import { channelText } from './present.ts';
import { viewChannel } from './queries.ts';

/** All of an organization's channels as the wire has them, serialized one after the other with commas between. */
interface Catalogue {
  /** Of what it was made. */
  readonly version: number;
  readonly channels: readonly ChannelRecord[];
  readonly bytes: Buffer;
  /** Where each channel begins in the bytes; and, last, where another would. */
  readonly starts: readonly number[];
}

const catalogues = new WeakMap<Directory, Catalogue>();

/**
 * A JSON list of those channels that are wanted. Most people who register want nearly all: stretches of the catalogue are sent as they are,
 * and nothing is serialized or copied for one of them.
 */
export function listFromCatalogue(directory: Directory, isWanted: (channel: ChannelRecord) => boolean): RawJson {
  const { channels, bytes, starts } = catalogueOf(directory);
  const pieces: Buffer[] = [OPENING];
  let from = -1;
  for (let index = 0; index <= channels.length; index++) {
    const channel = channels[index];
    if (channel !== undefined && isWanted(channel)) {
      if (from < 0) from = index;
    } else if (from >= 0) {
      if (pieces.length > 1) pieces.push(COMMA);
      pieces.push(bytes.subarray(starts[from], (starts[index] ?? 0) - 1));
      from = -1;
    }
  }
  pieces.push(CLOSING);
  return rawJson(pieces);
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');

function catalogueOf(directory: Directory): Catalogue {
  const version = directory.version('channels', 'subscriptions', 'users', 'groups');
  const known = catalogues.get(directory);
  if (known?.version === version) return known;
  const channels = [...directory.channels.values()];
  const starts = [0];
  const texts = channels.map((channel) => channelText(viewChannel(directory, channel)));
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + Buffer.byteLength(text) + 1);
  const catalogue = { version, channels, bytes: Buffer.from(texts.join(',')), starts };
  catalogues.set(directory, catalogue);
  return catalogue;
}
