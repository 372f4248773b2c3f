import { channelOfNarrow, type Narrow } from '@heddle/client/model/messages/narrow.ts';
import { type ReactNode, Suspense, useState } from 'react';
import { useModel } from '../../base/app.tsx';
import { lazyComponent } from '../../base/load-code.ts';
import { useChangesOf } from '../../base/use-changes.ts';

const NewChannelBar = lazyComponent(async () => ({ default: (await import('./new-channel-bar.tsx')).NewChannelBar }));

/** How long a channel is new, in seconds. */
const NEW_SECONDS = 60 * 60;

/** Offers the next steps to the user who has just created the channel. */
export function NewChannel({ narrow }: { readonly narrow: Narrow }): ReactNode {
  const model = useModel();
  const channelId = narrow.length === 1 ? channelOfNarrow(narrow) : undefined;
  useChangesOf(model.channels.changesOf, channelId ?? 0);
  const [hiddenId, setHidden] = useState<number>();
  const channel = channelId === undefined ? undefined : model.channels.get(channelId);
  if (channel === undefined || channel.id === hiddenId || channel.creatorId !== model.ownId || channel.isArchived) {
    return null;
  }
  const isNew = Date.now() / 1000 - channel.createdAt < NEW_SECONDS;
  if (!isNew) return null;
  return (
    <Suspense fallback={null}>
      <NewChannelBar channel={channel} onDismiss={() => setHidden(channel.id)} />
    </Suspense>
  );
}
