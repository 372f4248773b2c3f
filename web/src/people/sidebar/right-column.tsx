import { type ReactNode, Suspense } from 'react';
import { msg } from '../../base/i18n.ts';
import { defineShortcut } from '../../base/keyboard.ts';
import { useShortcut } from '../../base/keyboard-react.tsx';
import { lazyComponent } from '../../base/load-code.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { useFrame } from '../../frame/frame-context.ts';

const RightSidebar = lazyComponent(async () => ({ default: (await import('./right-sidebar.tsx')).RightSidebar }));

/** Opens the list of people and filters it. */
const filterPeopleShortcut = defineShortcut({
  id: 'people.filter',
  keys: ['w'],
  label: msg('Filter people'),
  group: 'navigation',
});

/** How often the field is looked for while its chunk loads. */
const MAX_LOOKS = 120;

/** What the right column holds. It exists only while the column is open. */
export function RightColumn(): ReactNode {
  const frame = useFrame();
  useShortcut(filterPeopleShortcut, () => {
    frame.open('right');
    focusFilter(MAX_LOOKS);
  });
  if (!frame.isOpen('right')) return null;
  return (
    <Suspense
      fallback={
        <div aria-busy="true">
          <Skeleton kind="row" count={8} />
        </div>
      }
    >
      <RightSidebar />
    </Suspense>
  );
}

/** Focuses the field as soon as the column shows it. */
function focusFilter(looks: number): void {
  const field = document.querySelector<HTMLInputElement>('[data-people-filter] input, input[data-people-filter]');
  if (field?.checkVisibility()) field.select();
  else if (looks > 0) requestAnimationFrame(() => focusFilter(looks - 1));
  field?.focus();
}
