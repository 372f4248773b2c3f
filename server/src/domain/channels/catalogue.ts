import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type RawJson, rawJson } from '../../http/answers/raw-json.ts';
import { channelText } from './present.ts';
import { viewChannel } from './queries.ts';

/** All channels of an organization as API objects in JSON, separated by commas. */
interface Catalogue {
  /** The version of the directory that the bytes were made from. */
  readonly version: number;
  readonly channels: readonly ChannelRecord[];
  readonly bytes: Buffer;
  /** The offset of each channel in the bytes, and last the offset after the end. */
  readonly starts: readonly number[];
}

const catalogues = new WeakMap<Directory, Catalogue>();

/**
 * Returns a JSON list of the selected channels. Most users who register can access nearly all channels. So ranges of
 * the catalogue are sent without serializing or copying each channel.
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
