import type { Directory } from '../../directory/directory.ts';
import type { ChannelRecord } from '../../directory/records.ts';
import { type RawJson, rawJson, shared } from '../../http/answers/raw-json.ts';
import { channelText } from './present.ts';
import { viewChannel } from './queries.ts';

/** Some channels as API objects in JSON, separated by commas. */
interface Block {
  readonly channels: readonly ChannelRecord[];
  readonly bytes: Buffer;
  /** The offset of each channel in the bytes, and last the offset after the end. */
  readonly starts: readonly number[];
}

/** All channels of an organization. */
interface Catalogue {
  /** The version of the directory that the blocks were made from. */
  readonly version: number;
  readonly blocks: readonly Block[];
}

/** Some tens of kilobytes. Smaller ones would be compressed less, and larger ones more often: whole blocks are compressed once. */
const CHANNELS_PER_BLOCK = 50;

const catalogues = new WeakMap<Directory, Catalogue>();

/**
 * Returns a JSON list of the selected channels. Most users who register can access nearly all channels. So ranges of
 * the catalogue are sent without serializing or copying each channel.
 */
export function listFromCatalogue(directory: Directory, isWanted: (channel: ChannelRecord) => boolean): RawJson {
  const pieces: Buffer[] = [OPENING];
  for (const block of blocksOf(directory)) {
    for (const range of rangesOf(block, isWanted)) {
      if (pieces.length > 1) pieces.push(COMMA);
      pieces.push(range);
    }
  }
  pieces.push(CLOSING);
  return rawJson(pieces);
}

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');

/** The selected channels of a block. If they are all of it, the range is the same object each time. */
function* rangesOf(
  { channels, bytes, starts }: Block,
  isWanted: (channel: ChannelRecord) => boolean,
): Iterable<Buffer> {
  let from = -1;
  for (let index = 0; index <= channels.length; index++) {
    const channel = channels[index];
    if (channel !== undefined && isWanted(channel)) {
      if (from < 0) from = index;
    } else if (from >= 0) {
      yield from === 0 && index === channels.length ? bytes : bytes.subarray(starts[from], (starts[index] ?? 0) - 1);
      from = -1;
    }
  }
}

function blocksOf(directory: Directory): readonly Block[] {
  const version = directory.version('channels', 'subscriptions', 'users', 'groups');
  const known = catalogues.get(directory);
  if (known?.version === version) return known.blocks;
  const channels = [...directory.channels.values()];
  const blocks: Block[] = [];
  for (let first = 0; first < channels.length; first += CHANNELS_PER_BLOCK) {
    const before = known?.blocks[blocks.length];
    blocks.push(blockOf(directory, channels.slice(first, first + CHANNELS_PER_BLOCK), before));
  }
  catalogues.set(directory, { version, blocks });
  return blocks;
}

/** @param before the block at the same place in the previous catalogue. It is kept if its content is the same. */
function blockOf(directory: Directory, channels: readonly ChannelRecord[], before: Block | undefined): Block {
  const starts = [0];
  const texts = channels.map((channel) => channelText(viewChannel(directory, channel)));
  for (const text of texts) starts.push((starts.at(-1) ?? 0) + Buffer.byteLength(text) + 1);
  const bytes = Buffer.from(texts.join(','));
  return { channels, bytes: before?.bytes.equals(bytes) ? before.bytes : shared(bytes), starts };
}
