import { merged } from '@heddle/client/model/merged.ts';
import { memo, type ReactNode, useMemo } from 'react';
import { useApp, useModel } from '../../base/app.tsx';
import { formatNumber } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Count } from '../../design/count.tsx';
import { UnreadMarks } from '../../shown/unread-marks.tsx';
import { SidebarLink } from './sidebar-row.tsx';
import { type ShownView, viewsOf } from './views.ts';

interface ViewRowProps {
  fragment: string;
  isCurrent: boolean;
  isActive: boolean;
}

/** A view such as the inbox. */
export const ViewRow = memo(function ViewRow({ fragment, ...state }: ViewRowProps): ReactNode {
  const model = useModel();
  useChanges(model.navigationViews.changes);
  const view = viewsOf(model).find((one) => one.fragment === fragment);
  return view === undefined ? null : <ShownViewRow view={view} {...state} />;
});

function ShownViewRow({ view, ...state }: Omit<ViewRowProps, 'fragment'> & { view: ShownView }): ReactNode {
  const app = useApp();
  const { builtIn, icon: Icon } = view;
  const subject = useMemo(() => builtIn?.changes?.(app) ?? merged(), [builtIn, app]);
  useChanges(subject);
  const count = builtIn?.count?.(app) ?? 0;
  return (
    <SidebarLink
      {...state}
      to={builtIn?.route ?? { view: 'unknown', hash: `#${view.fragment}` }}
      mark={<Icon aria-hidden="true" />}
      marks={
        builtIn?.isUnread ? (
          <UnreadMarks count={count} />
        ) : (
          <Count value={count} label={formatNumber(count)} kind="muted" />
        )
      }
      hasUnread={builtIn?.isUnread === true && count > 0}
    >
      {view.name}
    </SidebarLink>
  );
}
