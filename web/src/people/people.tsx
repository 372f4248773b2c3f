import { type ReactNode, Suspense, useRef } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { lazyPart } from '../base/lazy-part.tsx';
import { lazyComponent } from '../base/load-code.ts';
import { useChanges } from '../base/use-changes.ts';
import { ContentHandlersProvider } from '../content/handlers.tsx';
import { Popover } from '../design/popover.tsx';
import { Sheet } from '../design/sheet.tsx';
import { Spinner } from '../design/spinner.tsx';
import { type OpenCard, openGroupCard, openUserCard, peopleStore } from './people-store.ts';
import { usePresenceReports } from './use-presence-reports.ts';
import { useStatusEnd } from './use-status-end.ts';

const UserCard = lazyComponent(async () => ({ default: (await import('./user-card.tsx')).UserCard }));
const GroupCard = lazyComponent(async () => ({ default: (await import('./group-card.tsx')).GroupCard }));
const StatusDialog = lazyComponent(async () => ({ default: (await import('./status-dialog.tsx')).StatusDialog }));
const AddToChannelDialog = lazyComponent(async () => ({
  default: (await import('./add-to-channel.tsx')).AddToChannelDialog,
}));

const QuietDialog = lazyPart(() => import('./quiet-dialog.tsx'));
const QuietClock = lazyPart(() => import('./quiet-clock.tsx'), null);

/** Screens that show cards as sheets. The same as phones in `frame-state.ts`. */
const PHONE = '(width < 43.75rem)';

/** Opens cards of people and groups for everything inside, and shows cards and dialogs about people. */
export function People({ children }: { readonly children: ReactNode }): ReactNode {
  usePresenceReports();
  return (
    <ContentHandlersProvider openUser={openUserCard} openGroup={openGroupCard}>
      {children}
      <CardLayer />
      <DialogLayer />
      <StatusEnd />
      <Quiet />
    </ContentHandlersProvider>
  );
}

/** A component of its own, so that the app does not render again every minute. */
function StatusEnd(): null {
  useStatusEnd();
  return null;
}

/** Most users have no quiet hours, so their browsers need no clock of them. */
function Quiet(): ReactNode {
  const { account } = useModel();
  useChanges(account.changes);
  const hours = account.quietHours;
  if (hours === undefined) return null;
  const isPaused = (hours.paused_until ?? 0) * 1000 > Date.now();
  return (isPaused || hours.schedule.length > 0) && <QuietClock />;
}

function CardLayer(): ReactNode {
  const model = useModel();
  useChanges(peopleStore.changes);
  const { card } = peopleStore;
  if (card === undefined) return null;
  const close = () => peopleStore.closeCard();
  const isUser = card.kind === 'user';
  const name = isUser ? model.users.get(card.id)?.name : model.groups.get(card.id)?.name;
  const content = (
    <Suspense fallback={<Spinner />}>
      {isUser ? <UserCard userId={card.id} onClose={close} /> : <GroupCard groupId={card.id} onClose={close} />}
    </Suspense>
  );
  const label = name ?? t('Card');
  if (window.matchMedia(PHONE).matches) {
    return (
      <Sheet title={isUser ? t('Person') : t('Group')} isOpen onOpenChange={(isOpen) => !isOpen && close()}>
        {content}
      </Sheet>
    );
  }
  return (
    <CardPopover key={`${card.kind}${card.id}`} card={card} label={label} onClose={close}>
      {content}
    </CardPopover>
  );
}

interface CardPopoverProps {
  readonly card: OpenCard;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function CardPopover({ card, label, onClose, children }: CardPopoverProps): ReactNode {
  const anchor = useRef<Element>(card.anchor);
  return (
    <Popover
      label={label}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      triggerRef={anchor}
      placement="right top"
      isFlush
    >
      {children}
    </Popover>
  );
}

function DialogLayer(): ReactNode {
  useChanges(peopleStore.changes);
  const { dialog } = peopleStore;
  if (dialog === undefined) return null;
  const close = () => peopleStore.closeDialog();
  return (
    <Suspense>
      {dialog.kind === 'status' && <StatusDialog onClose={close} />}
      {dialog.kind === 'quiet' && <QuietDialog onClose={close} />}
      {dialog.kind === 'add-to-channel' && <AddToChannelDialog userId={dialog.userId} onClose={close} />}
    </Suspense>
  );
}
