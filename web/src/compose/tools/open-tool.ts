import { useEffect } from 'react';
import type { LiveSession } from '../drafts/live-sessions.ts';
import type { OpenedTool } from './tool-dialogs.tsx';

type Open = (tool: OpenedTool) => void;

/** How the box of each session on the screen opens a tool. */
const boxes = new Map<LiveSession, Open>();

/** Lets commands open tools in the box of the session. */
export function useOpenableTools(session: LiveSession, open: Open): void {
  useEffect(() => {
    boxes.set(session, open);
    return () => {
      boxes.delete(session);
    };
  }, [session, open]);
}

/** Opens the tool in the box in which its command was typed. If the user has gone elsewhere, nothing opens. */
export function openTool(session: LiveSession, tool: OpenedTool): void {
  boxes.get(session)?.(tool);
}
