import { createRoot } from 'react-dom/client';
import { followFocus } from './design/focus-return.ts';
import './design/styles.css';
import { boot } from './app/boot.ts';
import { Heddle } from './app/heddle.tsx';
import { start } from './base/early.ts';
import { loadLocale } from './base/i18n-load.ts';

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no element for the app');
followFocus();
const booted = boot();
// If the texts cannot be loaded, the app is in English.
await loadLocale(start.language === null ? navigator.languages : [start.language]).catch(() => undefined);
createRoot(root).render(<Heddle boot={booted} />);
