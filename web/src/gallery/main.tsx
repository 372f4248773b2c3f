/** The gallery: every component in every state, for development, screenshots and tests. The address chooses: `?page=frame&theme=dark`. */
import '../design/styles.css';
import { createRoot } from 'react-dom/client';
import { loadLocale } from '../base/i18n-load.ts';
import { TextsProvider } from '../base/i18n-react.tsx';
import { Keyboard } from '../base/keyboard-react.tsx';
import { ToastRegion } from '../design/toast-region.tsx';
import { ComponentsPage } from './components-page.tsx';
import { FramePage } from './frame-page.tsx';
import { MessagePage } from './message-page.tsx';

const PAGES = { components: ComponentsPage, frame: FramePage, message: MessagePage };
const parameters = new URLSearchParams(location.search);
const { dataset } = document.documentElement;
for (const name of ['theme', 'density'] as const) {
  const value = parameters.get(name);
  if (value !== null) dataset[name] = value;
}
const Page = PAGES[(parameters.get('page') ?? 'components') as keyof typeof PAGES];
await loadLocale([parameters.get('lang') ?? 'en']);
const root = document.getElementById('app');
if (root === null) throw new Error('the page has no #app');
createRoot(root).render(
  <TextsProvider>
    <Keyboard />
    <Page />
    <ToastRegion />
  </TextsProvider>,
);
