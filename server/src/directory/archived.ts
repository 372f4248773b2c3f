/** Which clients an archived channel is shown to (interface document, "Clients": the capability `archived_channels`). */
import type { QueueSettings } from '../log/queue.ts';
import type { Directory } from './directory.ts';

type Knowing = Pick<QueueSettings, 'capabilities'>;

/** Whether the client receives an event about the channel, by what the channel was after that event. */
export function isChannelShown(
  directory: Directory,
  { capabilities }: Knowing,
  channelId: number,
  eventId: number,
): boolean {
  if (capabilities.archivedChannels) return true;
  const channel = directory.channel(channelId);
  if (channel === undefined) return true;
  return !(directory.history.channelAfter(channel, eventId).isArchived ?? channel.isArchived);
}

/** The same as of now. */
export function isChannelShownNow(directory: Directory, { capabilities }: Knowing, channelId: number): boolean {
  return capabilities.archivedChannels || directory.channel(channelId)?.isArchived !== true;
}
