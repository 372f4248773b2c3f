import { msg } from '../base/i18n.ts';
import { defineShortcut } from '../base/keyboard.ts';

/** The keys of pictures. They stand here, so that the help knows them before the lightbox is loaded. */
export const OPEN_MEDIA = defineShortcut({
  id: 'content.open-media',
  keys: ['v'],
  label: msg('Show the pictures of the message'),
  group: 'message',
});

const common = { group: 'reading', scope: 'dialog', repeats: true } as const;

export const NEXT_MEDIA = defineShortcut({
  id: 'lightbox.next',
  keys: ['ArrowRight'],
  label: msg('Next picture'),
  ...common,
});

export const PREVIOUS_MEDIA = defineShortcut({
  id: 'lightbox.previous',
  keys: ['ArrowLeft'],
  label: msg('Previous picture'),
  ...common,
});

export const ZOOM_IN = defineShortcut({ id: 'lightbox.zoom-in', keys: ['+', '='], label: msg('Zoom in'), ...common });

export const ZOOM_OUT = defineShortcut({ id: 'lightbox.zoom-out', keys: ['-'], label: msg('Zoom out'), ...common });

export const FIT = defineShortcut({ id: 'lightbox.fit', keys: ['0'], label: msg('Show the whole picture'), ...common });
