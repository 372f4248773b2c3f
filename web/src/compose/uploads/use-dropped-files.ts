import { useEffect, useRef, useState } from 'react';

/** Receives files that are dropped anywhere in the window, except in dialogs. Returns whether files are over the window. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const listen = (type: 'dragover' | 'dragleave' | 'drop', listener: (event: DragEvent) => void): void =>
      window.addEventListener(type, (event) => hasFiles(event) && listener(event), { signal });
    listen('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    listen('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false));
    listen('drop', (event) => {
      setOver(false);
      if (event.defaultPrevented) return;
      // Without this, the browser would leave the app and show the file.
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    });
    return () => ending.abort();
  }, []);
  return isOver;
}

function hasFiles({ target, dataTransfer }: DragEvent): boolean {
  const isInDialog = target instanceof Element && target.closest('[role=dialog], [role=alertdialog]') !== null;
  return !isInDialog && (dataTransfer?.types.includes('Files') ?? false);
}
