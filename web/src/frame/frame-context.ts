import { createContext, use, useSyncExternalStore } from 'react';
import type { FrameState } from './frame-state.ts';

export const FrameContext = createContext<FrameState | undefined>(undefined);

/** The columns of the frame around this component. It renders again when they change. */
export function useFrame(): FrameState {
  const frame = use(FrameContext);
  if (frame === undefined) throw new Error('useFrame needs a Frame around it');
  useSyncExternalStore(frame.changes.subscribe, frame.changes.read);
  return frame;
}
