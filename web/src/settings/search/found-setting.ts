import { Subject } from '@heddle/client/model/changes.ts';
import { type RefObject, useEffect } from 'react';
import { type Message, t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';

/** A setting that the user chose in the search. Its page shows it. */
interface Wanted {
  readonly section: string;
  readonly label: Message;
}

const changes = new Subject();
let wanted: Wanted | undefined;

/** Lets the page of the section show this setting when it is there. */
export function wantSetting(section: string, label: Message): void {
  wanted = { section, label };
  changes.changed();
}

/** Shows the wanted setting of this page, and gives it the focus. */
export function useFoundSetting(page: RefObject<HTMLElement | null>, section: string | undefined): void {
  useChanges(changes);
  const here = wanted?.section === section ? wanted : undefined;
  useEffect(() => {
    if (here === undefined || page.current === null) return;
    // After the frame has given the focus to the view.
    const frame = requestAnimationFrame(() => {
      wanted = undefined;
      if (page.current !== null) showSetting(page.current, t(here.label));
    });
    return () => cancelAnimationFrame(frame);
  }, [here, page]);
}

const LABELS = 'h2, label, legend, span, div, dt, th, [aria-label]';
const FIELDS = 'input, textarea, select';
const CONTROLS = `${FIELDS}, button, a[href]`;
/** Not larger than one setting, which can be without a control, or one part of the page. */
const WHOLE = 'dl, [data-setting], section';

function showSetting(page: HTMLElement, label: string): void {
  const name = [...page.querySelectorAll<HTMLElement>(LABELS)].find(
    (element) => element.textContent.trim() === label || element.getAttribute('aria-label') === label,
  );
  const area = name === undefined ? page : areaOf(name, page);
  // The field comes before the buttons that remove what is chosen in it.
  const controls = controlsIn(area);
  const control = controls.find((one) => one.matches(FIELDS)) ?? controls[0];
  area.scrollIntoView({ block: 'center' });
  const target = control === undefined || control.matches(':disabled') ? area : control;
  // A setting that the user may not change has no control that can have the focus.
  if (target === area) area.tabIndex = -1;
  target.focus({ preventScroll: true });
  area.dataset.found = '';
  target.addEventListener('blur', () => delete area.dataset.found, { once: true });
}

/** The smallest part of the page with the label and a control, or else the setting. */
function areaOf(name: HTMLElement, page: HTMLElement): HTMLElement {
  for (let area = name; area !== page; area = area.parentElement ?? page) {
    if (controlsIn(area).length > 0 || area.matches(WHOLE)) return area;
  }
  return name;
}

function controlsIn(area: HTMLElement): readonly HTMLElement[] {
  return [...area.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (one) => one.closest('[aria-hidden="true"]') === null && !one.hidden,
  );
}
