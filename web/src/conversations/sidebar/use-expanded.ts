import { useCallback, useMemo, useState } from 'react';

/**
 * The channels whose topics the sidebar shows: those that the user opened, and the current one unless the user closed it.
 * @param current the channel that the app shows
 */
export function useExpanded(
  current: number | undefined,
): [readonly number[], (channelId: number, isOpen: boolean) => void] {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const set = useCallback(
    (channelId: number, isOpen: boolean) => setChosen((before) => new Map(before).set(channelId, isOpen)),
    [],
  );
  const expanded = useMemo(() => {
    const ids = new Set([...chosen].flatMap(([id, isOpen]) => (isOpen ? id : [])));
    if (current !== undefined && chosen.get(current) !== false) ids.add(current);
    return [...ids];
  }, [chosen, current]);
  return [expanded, set];
}
